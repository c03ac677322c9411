/* Random bytes for programs in Rust, which want them from a library that an older wine does not have:
 * without it none of them starts. They go into the order of hash maps, which no golden depends on. */
#include <windows.h>

/* RtlGenRandom, by the name under which advapi32 exports it. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return SystemFunction036(data, (ULONG)length);
}
