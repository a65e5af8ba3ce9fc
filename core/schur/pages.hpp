// Memory for long lists of numbers, in large pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace kempe {

/// Lists of some megabytes that are read from end to end again and again: with small pages the
/// processor spends a fifth of the time to look up where they are.
template <class T> struct PageAllocator {
    using value_type = T;

    PageAllocator() = default;
    template <class U> PageAllocator(const PageAllocator<U>&) {}

    T* allocate(std::size_t count) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (is_long(count)) {
            const std::size_t size = (count * sizeof(T) + page - 1) / page * page;
            void* const memory = std::aligned_alloc(page, size);
            if (memory == nullptr) throw std::bad_alloc();
            madvise(memory, size, MADV_HUGEPAGE);  // advice: nothing is lost where it is not taken
            return static_cast<T*>(memory);
        }
#endif
        return static_cast<T*>(::operator new(count * sizeof(T)));
    }

    void deallocate(T* memory, std::size_t count) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (is_long(count)) {
            std::free(memory);
            return;
        }
#endif
        (void)count;
        ::operator delete(memory);
    }

    friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }

  private:
    static constexpr std::size_t page = std::size_t{1} << 21;
    static bool is_long(std::size_t count) { return count * sizeof(T) >= page; }
};

using LongList = std::vector<double, PageAllocator<double>>;

}  // namespace kempe
