/* base/hdf5.c - HDF5 files through the library that is at hand when they are asked for
 *
 * Numbers that stand for the library's enumerations are part of its binary interface. */
#include "base/hdf5.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"

/* enumerations of the library */
enum { ALLOC_EARLY = 1, FILL_NEVER = 1, LETTERS_UTF8 = 1 };
enum {
	CLASS_INTEGER = 0,
	CLASS_FLOAT = 1,
	CLASS_STRING = 3,
	CLASS_COMPOUND = 6,
	CLASS_ENUM = 8
};
enum { KIND_DATASET = 5, BY_NAME = 0, RISING = 0, UPWARD = 0 };
enum { OLDEST_MINOR = 10, LISTED_MOST = 200 };

/* ---- opening ------------------------------------------------------------- */

/* Serial builds first: a parallel one brings an MPI of its own. */
static void *library_open(const char *named, char *tried, size_t size)
{
	static const char *const name[] = {
		"libhdf5_serial.so.310", "libhdf5_serial.so.200",
		"libhdf5_serial.so.103", "libhdf5_serial.so",
		"libhdf5.so.310",        "libhdf5.so.200",
		"libhdf5.so.103",        "libhdf5.so",
	};
	void *library = NULL;

	if (named)
		return dlopen(named, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	for (size_t i = 0; !library && i < sizeof name / sizeof *name; i++)
		library = dlopen(name[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	snprintf(tried, size, "%s or %s", name[2], name[6]);
	return library;
}

/* Fills the table of functions; NULL, or the symbol that the library lacks. */
static const char *library_symbols(struct hdf5 *h, void *library)
{
	void *p;

#define FUNCTION(member, symbol, result, parameters)                                     \
	p = dlsym(library, symbol);                                                      \
	if (!p)                                                                          \
		return symbol;                                                           \
	memcpy(&h->member, &p, sizeof p);
#define VARIABLE(member, symbol)
#include "base/hdf5.def"
#undef VARIABLE
	if (h->open() < 0 || h->version(&h->major, &h->minor, &h->patch) < 0)
		return "H5open";
#undef FUNCTION
#define FUNCTION(member, symbol, result, parameters)
#define VARIABLE(member, symbol)                                                         \
	p = dlsym(library, symbol);                                                      \
	if (!p)                                                                          \
		return symbol;                                                           \
	h->member = *(const hdf5_id *)p;
#include "base/hdf5.def"
#undef FUNCTION
#undef VARIABLE
	return NULL;
}

/* Some file systems of clusters have no locks; a file that is being written has
 * another name, so none is needed. */
bool hdf5_load(struct hdf5 *h, char *why)
{
	const char *named = setting_text("MPA_HDF5"), *lacks;
	char tried[100] = "";
	void *library;

	setting_hint("HDF5_USE_FILE_LOCKING", "FALSE");
	library = library_open(named, tried, sizeof tried);
	if (!library) {
		if (named)
			snprintf(why, HDF5_WHY,
				 "the HDF5 library that MPA_HDF5 names cannot be opened: "
				 "%s",
				 dlerror());
		else
			snprintf(why, HDF5_WHY,
				 "the HDF5 library is not installed (%s); on Debian "
				 "install libhdf5-103-1, elsewhere set MPA_HDF5 to its "
				 "file, or use files of the kind .npy",
				 tried);
		return false;
	}
	lacks = library_symbols(h, library);
	if (!lacks && (h->major > 1 || h->minor >= OLDEST_MINOR)) {
		h->set_errors(0, NULL, NULL);
		return true;
	}
	if (lacks)
		snprintf(why, HDF5_WHY, "the HDF5 library has no %s; 1.10 to 1.14 serve",
			 lacks);
	else
		snprintf(why, HDF5_WHY,
			 "the HDF5 library is %u.%u.%u; 1.10 to 1.14 serve", h->major,
			 h->minor, h->patch);
	return false;
}

static int take_error(unsigned n, const struct hdf5_error *error, void *into)
{
	if (n == 0 && error->text)
		snprintf(into, HDF5_WHY, "%s", error->text);
	return 0;
}

/* Upwards the first entry is where it happened. */
const char *hdf5_why(const struct hdf5 *h, char *why)
{
	why[0] = 0;
	h->walk_errors(0, UPWARD, take_error, why);
	for (char *c = why; *c; c++)
		if (*c == '\n')
			*c = ' ';
	if (!why[0])
		snprintf(why, HDF5_WHY, "HDF5 gives no reason");
	return why;
}

/* ---- types --------------------------------------------------------------- */

static hdf5_id bool_type(const struct hdf5 *h)
{
	hdf5_id type = h->type_enum(h->i8);
	int8_t no = 0, yes = 1;

	h->type_enum_insert(type, "FALSE", &no);
	h->type_enum_insert(type, "TRUE", &yes);
	return type;
}

static hdf5_id complex_type(const struct hdf5 *h, hdf5_id part, size_t bytes)
{
	hdf5_id type = h->type_new(CLASS_COMPOUND, 2 * bytes);

	h->type_insert(type, "r", 0, part);
	h->type_insert(type, "i", bytes, part);
	return type;
}

static hdf5_id text_type(const struct hdf5 *h)
{
	hdf5_id type = h->type_copy(h->text);

	h->type_set_bytes(type, (size_t)-1); /* of any length */
	h->type_set_letters(type, LETTERS_UTF8);
	return type;
}

hdf5_id hdf5_type(const struct hdf5 *h, enum mpa_elem elem)
{
	switch (elem) {
	case MPA_BOOL:
		return bool_type(h);
	case MPA_U8:
		return h->type_copy(h->u8);
	case MPA_I32:
		return h->type_copy(h->i32);
	case MPA_I64:
		return h->type_copy(h->i64);
	case MPA_F32:
		return h->type_copy(h->f32);
	case MPA_F64:
		return h->type_copy(h->f64);
	case MPA_C64:
		return complex_type(h, h->f32, sizeof(float));
	case MPA_C128:
		return complex_type(h, h->f64, sizeof(double));
	default:
		return text_type(h);
	}
}

static bool member_is(const struct hdf5 *h, hdf5_id type, unsigned i, const char *name)
{
	char *is = h->type_member_name(type, i);
	bool same = is && strcmp(is, name) == 0;

	h->free_memory(is);
	return same;
}

static enum mpa_elem complex_elem(const struct hdf5 *h, hdf5_id type)
{
	size_t bytes = 0;

	if (h->type_members(type) != 2 || !member_is(h, type, 0, "r") ||
	    !member_is(h, type, 1, "i"))
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		hdf5_id part = h->type_member_type(type, i);

		if (h->type_class(part) != CLASS_FLOAT)
			bytes = 100;
		else if (h->type_bytes(part) > bytes)
			bytes = h->type_bytes(part);
		h->type_close(part);
	}
	return bytes <= 4 ? MPA_C64 : bytes <= 8 ? MPA_C128 : 0;
}

/* Without loss: all but 64-bit integers without sign have a type that holds them. */
static enum mpa_elem integer_elem(const struct hdf5 *h, hdf5_id type)
{
	size_t bytes = h->type_bytes(type);
	bool sign = h->type_sign(type) != 0;

	if (bytes == 1 && !sign)
		return MPA_U8;
	if (bytes <= 2 || (bytes <= 4 && sign))
		return MPA_I32;
	return bytes <= 4 || (bytes == 8 && sign) ? MPA_I64 : 0;
}

enum mpa_elem hdf5_elem(const struct hdf5 *h, hdf5_id type, bool *same)
{
	enum mpa_elem elem = 0;
	hdf5_id ours;

	switch (h->type_class(type)) {
	case CLASS_INTEGER:
		elem = integer_elem(h, type);
		break;
	case CLASS_FLOAT:
		elem = h->type_bytes(type) <= 4 ? MPA_F32 : MPA_F64;
		break;
	case CLASS_STRING:
		elem = MPA_STR;
		break;
	case CLASS_COMPOUND:
		elem = complex_elem(h, type);
		break;
	case CLASS_ENUM:
		if (h->type_members(type) == 2 && h->type_bytes(type) == 1 &&
		    member_is(h, type, 0, "FALSE") && member_is(h, type, 1, "TRUE"))
			elem = MPA_BOOL;
		break;
	default:
		break;
	}
	*same = false;
	if (elem == 0)
		return 0;
	ours = hdf5_type(h, elem);
	*same = h->type_equal(type, ours) > 0;
	h->type_close(ours);
	return elem;
}

/* ---- datasets ------------------------------------------------------------ */

static hdf5_id data_list(const struct hdf5 *h, bool scalar)
{
	hdf5_id list = h->list_new(h->new_data);

	h->list_set_times(list, false); /* equal runs make equal files */
	if (!scalar) {
		h->list_set_layout(list, HDF5_CONTIGUOUS);
		h->list_set_alloc_time(list, ALLOC_EARLY);
		h->list_set_fill_time(list, FILL_NEVER);
	}
	return list;
}

hdf5_id hdf5_data_new(const struct hdf5 *h, hdf5_id file, const char *name,
		      enum mpa_elem elem, int naxes, const int64_t *shape)
{
	hdf5_id list = data_list(h, naxes < 0), link = h->list_new(h->new_link);
	hdf5_id type = hdf5_type(h, elem), space, data;
	uint64_t size[MPA_MAX_AXES];

	for (int a = 0; a < naxes; a++)
		size[a] = (uint64_t)shape[a];
	h->list_set_names(link, LETTERS_UTF8);
	space = naxes < 0 ? h->space_new(HDF5_SCALAR)
			  : h->space_new_simple(naxes, size, NULL);
	data = h->data_new(file, name, type, space, link, list, 0);
	h->space_close(space);
	h->type_close(type);
	h->list_close(link);
	h->list_close(list);
	return data;
}

static hdf5_id dataset_open(const struct hdf5 *h, hdf5_id file, const char *name)
{
	hdf5_id object = h->object_open(file, name, 0);
	bool is_data = object >= 0 && h->object_kind(object) == KIND_DATASET;

	if (object >= 0)
		h->object_close(object);
	return is_data ? h->data_open(file, name, 0) : -1;
}

/* Names of the file's datasets, as "a, b and 3 more" in HDF5_WHY bytes; returns how
 * many there are; `one`: the first. */
static int datasets_list(const struct hdf5 *h, hdf5_id file, char *text, char *one)
{
	struct hdf5_group group = { 0 };
	char name[HDF5_NAME];
	int n = 0, left_out = 0;
	size_t used = 0;

	text[0] = one[0] = 0;
	h->group_info(file, &group);
	for (uint64_t i = 0; i < group.links; i++) {
		hdf5_id data;

		if (h->link_name(file, ".", BY_NAME, RISING, i, name, sizeof name, 0) < 0)
			continue;
		data = dataset_open(h, file, name);
		if (data < 0)
			continue;
		h->data_close(data);
		if (n++ == 0)
			strcpy(one, name);
		if (used + strlen(name) < LISTED_MOST)
			used += (size_t)snprintf(text + used, HDF5_WHY - used, "%s%s",
						 used ? ", " : "", name);
		else
			left_out++;
	}
	if (left_out)
		snprintf(text + used, HDF5_WHY - used, " and %d more", left_out);
	return n;
}

hdf5_id hdf5_data_find(const struct hdf5 *h, hdf5_id file, const char *name, bool only,
		       char *found, char *why)
{
	char names[HDF5_WHY];
	hdf5_id data =
		*name && strlen(name) < HDF5_NAME ? dataset_open(h, file, name) : -1;
	int n;

	if (data >= 0) {
		strcpy(found, name);
		return data;
	}
	n = datasets_list(h, file, names, found);
	if (n == 1 && only)
		return dataset_open(h, file, found);
	if (n == 0)
		snprintf(why, HDF5_WHY, "it has no dataset at its top");
	else if (*name)
		snprintf(why, HDF5_WHY, "it has no dataset %.100s, only %.250s", name,
			 names);
	else
		snprintf(why, HDF5_WHY, "it has several datasets: name one of %.250s",
			 names);
	return -1;
}

int hdf5_data_shape(const struct hdf5 *h, hdf5_id data, int64_t *shape, int room)
{
	hdf5_id space = h->data_space(data);
	uint64_t size[32] = { 0 };
	int n = h->space_class(space) == HDF5_SIMPLE ? h->space_axes(space) : 0;

	if (n > 0)
		h->space_shape(space, size, NULL);
	h->space_close(space);
	for (int a = 0; a < n && a < room; a++)
		shape[a] = (int64_t)size[a];
	return n;
}

static char *long_text(const struct hdf5 *h, hdf5_id data, hdf5_id type)
{
	hdf5_id as = h->type_copy(type);
	char *held = NULL, *text = NULL;

	h->type_set_letters(as, h->type_letters(type));
	if (h->data_read(data, as, 0, 0, 0, &held) >= 0)
		text = strdup(held ? held : "");
	h->free_memory(held);
	h->type_close(as);
	return text;
}

static char *short_text(const struct hdf5 *h, hdf5_id data, hdf5_id type)
{
	size_t bytes = h->type_bytes(type);
	char *text = calloc(bytes + 1, 1);

	if (text && h->data_read(data, type, 0, 0, 0, text) < 0) {
		free(text);
		return NULL;
	}
	return text;
}

char *hdf5_text_read(const struct hdf5 *h, hdf5_id data)
{
	hdf5_id type = h->data_type(data);
	char *text = NULL;

	if (h->type_class(type) == CLASS_STRING)
		text = h->type_is_long(type) > 0 ? long_text(h, data, type)
						 : short_text(h, data, type);
	h->type_close(type);
	return text;
}
