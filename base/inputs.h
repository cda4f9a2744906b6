/* The files that the run reads, so that it does not overwrite them. They belong to the process and are known by device
 * and inode, whatever their names.
 * Thread: any. */
#ifndef BASE_INPUTS_H
#define BASE_INPUTS_H

/* A file that is read. */
typedef struct input_file {
    const char *name;   /* one of its names */
    const char *reader; /* the option that reads it: "-f" */
} input_file;

/* Adds a file, if it exists; devices and pipes, which lose nothing, are left out. `reader` is static. */
void inputs_add(const char *name, const char *reader);

/* The file that this name belongs to, NULL if it is not read.
 * Lifetime: until inputs_forget. */
const input_file *inputs_find(const char *name);

/* Forgets all of them: for tests, in which one process makes several runs. */
void inputs_forget(void);

#endif
