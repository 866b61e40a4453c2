/*
 * Runs a fuzz target over files and folders of inputs, without a fuzzer: how `make check`
 * replays each corpus. Prints the count; a fault ends the program.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t n;

	if (!f || fstat(fileno(f), &st)) {
		perror(path);
		return -1;
	}
	data = malloc((size_t)st.st_size + 1);
	if (!data)
		abort();
	n = fread(data, 1, (size_t)st.st_size, f);
	fclose(f);
	LLVMFuzzerTestOneInput(data, n);
	free(data);
	return 1;
}

static int run_path(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	int sum = 0;

	if (!dir)
		return run_file(path);
	while ((e = readdir(dir))) {
		char name[4096];
		int n;

		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, e->d_name);
		n = run_path(name);
		if (n < 0) {
			closedir(dir);
			return n;
		}
		sum += n;
	}
	closedir(dir);
	return sum;
}

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i < argc; i++) {
		int n = run_path(argv[i]);

		if (n < 0)
			return 1;
		sum += n;
	}
	printf("%d inputs\n", sum);
	return sum ? 0 : 1;
}
