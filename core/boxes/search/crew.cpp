#include "boxes/search/crew.hpp"

#include <chrono>
#include <utility>

#include "interval/rounding.hpp"

namespace kempe::boxes {

namespace {

constexpr int looks_before_sleep = 100;
constexpr auto between_looks = std::chrono::milliseconds(20);

}  // namespace

Crew::Crew(unsigned members) {
    for (unsigned k = 1; k < members; ++k) others_.emplace_back([this, k] { join_in(k); });
}

Crew::~Crew() {
    {
        const std::lock_guard lock(mutex_);
        leaving_ = true;
        ++round_;
    }
    begun_.notify_all();
    for (std::thread& other : others_) other.join();
}

void Crew::work(std::size_t count, const Task& task, const std::function<void()>& meanwhile) {
    if (others_.empty() || count < 2) {
        for (std::size_t k = 0; k < count; ++k) task(0, k);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        task_ = &task;
        count_ = count;
        next_ = 0;
        is_open_ = true;
        ++round_;
    }
    begun_.notify_all();
    do_tasks(0);
    {
        const std::lock_guard lock(mutex_);
        is_open_ = false;
    }
    for (int look = 0; look < looks_before_sleep && busy_ > 0; ++look) std::this_thread::yield();
    std::unique_lock lock(mutex_);
    while (busy_ > 0) {
        done_.wait_for(lock, between_looks, [this] { return busy_ == 0; });
        if (busy_ == 0 || !meanwhile) continue;
        lock.unlock();
        meanwhile();
        lock.lock();
    }
    if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
}

void Crew::join_in(std::size_t member) {
    const UpwardMode upward;
    for (unsigned seen = 0;;) {
        for (int look = 0; look < looks_before_sleep && round_ == seen; ++look) std::this_thread::yield();
        {
            std::unique_lock lock(mutex_);
            begun_.wait(lock, [&] { return round_ != seen; });
            seen = round_;
            if (leaving_) return;
            if (!is_open_) continue;
            ++busy_;
        }
        do_tasks(member);
        const std::lock_guard lock(mutex_);
        if (--busy_ == 0) done_.notify_one();
    }
}

void Crew::do_tasks(std::size_t member) {
    try {
        for (std::size_t k = next_++; k < count_; k = next_++) (*task_)(member, k);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        trouble_ = std::current_exception();
        next_ = count_;
    }
}

}  // namespace kempe::boxes
