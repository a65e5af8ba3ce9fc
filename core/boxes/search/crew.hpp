#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

// Threads that share numbered tasks. Which thread does which task is left to chance, so tasks must
// not depend on each other. Work is over when all tasks are done: who wakes up too late to find one is
// not waited for, so that two threads on a busy machine are not slower than one.

namespace kempe::boxes {

class Crew {
  public:
    using Task = std::function<void(std::size_t member, std::size_t number)>;

    // The caller is member 0; the others wait until there is work.
    explicit Crew(unsigned members);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    std::size_t size() const { return others_.size() + 1; }
    // Does all tasks 0 ... count - 1 and returns when they are done. While the caller has nothing left
    // to do but wait, `meanwhile` is called now and then.
    void work(std::size_t count, const Task& task, const std::function<void()>& meanwhile = {});

  private:
    void join_in(std::size_t member);
    void do_tasks(std::size_t member);

    std::vector<std::thread> others_;
    std::mutex mutex_;
    std::condition_variable begun_, done_;
    const Task* task_ = nullptr;
    std::size_t count_ = 0;
    std::atomic<std::size_t> next_{0};
    std::atomic<unsigned> round_{0};  // of work
    std::atomic<std::size_t> busy_{0};    // others that have joined in
    bool is_open_ = false;                // whether others may join in
    bool leaving_ = false;
    std::exception_ptr trouble_;
};

}  // namespace kempe::boxes
