# samples
