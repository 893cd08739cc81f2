// Instruction sets. Files named *.isa.cpp are compiled once per instruction set, each into a namespace of its own
// (-DPYASC_ISA=v3), and export their kernels as one constant table of function pointers; the best one this machine can
// run is chosen when the library is loaded (PYASC_EMBEDDED_ISA forces another).
//
// In the family's header:      struct ReduceKernels { ReduceFn (*find)(Reduce, DType); };
//                              PYASC_FAMILY(ReduceKernels, reduce_kernels)
// in reduce.isa.cpp:           namespace pyasc::PYASC_ISA { extern const ReduceKernels reduce_kernels = {find}; }
// and whoever uses it:         reduce_kernels().find(...)
//
// Everything an *.isa.cpp file defines lies in namespace pyasc::PYASC_ISA or an anonymous namespace, and it
// instantiates no std:: function templates that are not inlined: a copy compiled for AVX2 must never be picked by the
// linker for all.
#pragma once

#if defined(__x86_64__)
#ifdef PYASC_WITH_V4
#define PYASC_ISAS(F, ...) F(v2, __VA_ARGS__) F(v3, __VA_ARGS__) F(v4, __VA_ARGS__)
#else
#define PYASC_ISAS(F, ...) F(v2, __VA_ARGS__) F(v3, __VA_ARGS__)
#endif
#else
#define PYASC_ISAS(F, ...) F(base, __VA_ARGS__)
#endif

namespace pyasc {

int isa_level();         // index of the instruction set in use, in the order above
const char* isa_name();  // "v3"

#define PYASC_DECLARE_TABLE(isa, Type, name) \
    namespace isa {                          \
    extern const Type name;                  \
    }
#define PYASC_TABLE_ADDRESS(isa, Type, name) &isa::name,
#define PYASC_FAMILY(Type, name)                                                           \
    PYASC_ISAS(PYASC_DECLARE_TABLE, Type, name)                                            \
    inline const Type& name() {                                                            \
        static const Type* const tables[] = {PYASC_ISAS(PYASC_TABLE_ADDRESS, Type, name)}; \
        return *tables[isa_level()];                                                       \
    }

}  // namespace pyasc
