/* What MATLAB documents of its C interface for MEX files, as far as ours uses it: a call that only
 * Octave has does not compile against this. Nothing here is ever linked. */
#ifndef MEX_H
#define MEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mxArray_tag mxArray;
typedef size_t mwSize;
typedef enum { mxREAL, mxCOMPLEX } mxComplexity;
typedef enum { mxUINT8_CLASS = 9 } mxClassID;

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);
int mexAtExit(void (*exit_function)(void));
void mexErrMsgIdAndTxt(const char *identifier, const char *format, ...);

bool mxIsChar(const mxArray *array);
bool mxIsLogical(const mxArray *array);
bool mxIsNumeric(const mxArray *array);
bool mxIsUint8(const mxArray *array);
size_t mxGetNumberOfElements(const mxArray *array);
double mxGetScalar(const mxArray *array);
int mxGetString(const mxArray *array, char *text, mwSize length);
char *mxArrayToString(const mxArray *array);
void *mxGetData(const mxArray *array);
double *mxGetPr(const mxArray *array);
mxArray *mxCreateDoubleScalar(double value);
mxArray *mxCreateDoubleMatrix(mwSize rows, mwSize columns, mxComplexity complexity);
mxArray *mxCreateNumericMatrix(mwSize rows, mwSize columns, mxClassID kind, mxComplexity complexity);
mxArray *mxCreateNumericArray(mwSize dimensions, const mwSize *size, mxClassID kind, mxComplexity complexity);
void mxFree(void *memory);

#endif
