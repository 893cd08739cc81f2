// Executors: their life, and phase 2.
#include "meta/executor.h"

#include <cstdlib>

#include "meta/slots.h"

namespace pyasc {
namespace {

void release_task(Task* task) { free_executor(static_cast<aclOpExecutor*>(task)); }

void unreference(aclOpExecutor* e) {
    if (e->references.fetch_sub(1, std::memory_order_acq_rel) == 1) free_executor(e);
}

void destroy_closure(aclOpExecutor* e) {
    e->destroy(e->closure);
    if (e->closure_align) ::operator delete(e->closure, std::align_val_t(e->closure_align));
}

// A run of its own for a repeatable executor: addresses as they are now, the closure borrowed.
__attribute__((noinline)) aclOpExecutor* copy_for_run(aclOpExecutor* e) {
    aclOpExecutor* run = new_executor();
    if (!run) return nullptr;
    run->run = e->run;
    run->cost = e->cost;
    run->work = e->work;
    run->op = e->op;
    run->original = e;
    e->references.fetch_add(1, std::memory_order_relaxed);
    if (e->work == Work::Loop) {
        const Loop& from = e->loop;
        Loop& to = run->loop;
        to.inner = from.inner;
        to.operands = from.operands;
        to.ndim = from.ndim;
        to.count = from.count;
        to.weight = from.weight;
        to.item = from.item;
        for (int d = 0; d < from.ndim; ++d) to.shape[d] = from.shape[d];
        for (int k = 0; k < from.operands; ++k) {
            to.data[k] = from.data[k] == e->scalar ? run->scalar : from.data[k];
            for (int d = 0; d < from.ndim; ++d) to.step[k][d] = from.step[k][d];
        }
        std::memcpy(run->scalar, e->scalar, sizeof run->scalar);
    } else {
        const int count = e->in.count + e->out.count;
        View* views = view_storage(run, count);
        for (int k = 0; k < count; ++k) copy_view(&views[k], e->views[k]);
        run->in.count = e->in.count;  // where the outputs begin
        run->body = e->body;
        run->closure = e->closure;
    }
    return run;
}

// Why `p` cannot be launched.
__attribute__((cold)) int32_t refuse(const aclOpExecutor* p) {
    if (!p) return fail(ACLNN_ERR_PARAM_NULLPTR, "the executor is null; phase 1 makes it");
    return fail(
        ACLNN_ERR_PARAM_INVALID,
        "%p is no executor, or one that was used up: call phase 1 again, or aclSetAclOpExecutorRepeatable after it",
        static_cast<const void*>(p));
}

char* data_of(const aclOpExecutor* e, bool output, int index) {
    if (e->work == Work::Closure) return e->views[output ? e->in.count + index : index].data;
    return e->loop.data[output ? 0 : 1 + index + e->scalar_first];
}

// Whether every operand with elements has data by now.
int32_t check_addresses(aclOpExecutor* e) {
    for (const bool output : {false, true}) {
        const OperandList& list = output ? e->out : e->in;
        for (int k = 0; k < list.count; ++k) {
            if (list.data[k].extent == 0 || data_of(e, output, k)) continue;
            return fail(
                ACLNN_ERR_PARAM_INVALID,
                "%s: %s has elements but no data; give its tensor an address, or the executor by aclSet%sTensorAddr",
                e->op, list.data[k].name, output ? "Output" : "Input");
        }
    }
    e->missing = false;
    return ACLNN_SUCCESS;
}

__attribute__((noinline)) int32_t check_launch(aclOpExecutor* e, const void* workspace, uint64_t workspace_size) {
    if (workspace_size > 0 && !workspace) {
        return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: the workspace is null but its size is %lu", e->op, workspace_size);
    }
    return e->missing ? check_addresses(e) : ACLNN_SUCCESS;
}

}  // namespace

void OperandList::grow() {
    Operand* more = new Operand[static_cast<size_t>(capacity) * 2];
    std::memcpy(more, data, sizeof(Operand) * static_cast<size_t>(count));
    if (data != few) delete[] data;
    data = more;
    capacity *= 2;
}

View* view_storage(aclOpExecutor* e, int count) {
    void* room = e->view_room;
    if (count > kInlineOperands) room = ::operator new(sizeof(View) * static_cast<size_t>(count));
    return e->views = static_cast<View*>(room);
}

aclOpExecutor* new_executor() {
    aclOpExecutor* e = take<aclOpExecutor>();
    if (__builtin_expect(!e || !e->release,
                         0)) {  // no slot, or one that was never used: fields that all uses leave alone
        if (!e) return nullptr;
        e->release = release_task;
        e->in.open();
        e->out.open();
    }
    e->next = nullptr;
    e->work = Work::None;
    e->repeatable = false;
    e->missing = false;
    e->references.store(1, std::memory_order_relaxed);
    e->original = nullptr;
    e->in.clear();
    e->out.clear();
    return e;
}

void free_executor(aclOpExecutor* e) {
    if (e->work == Work::Closure) {
        if (!e->original) destroy_closure(e);
        if (e->views != reinterpret_cast<View*>(e->view_room)) ::operator delete(e->views);
    }
    e->in.release();
    e->out.release();
    aclOpExecutor* const original = e->original;
    give(e);
    if (original) unreference(original);
}

bool is_live(const aclOpExecutor* p) { return live(p); }

int32_t run_loop_task(Task* task) {
    run_loop(static_cast<aclOpExecutor*>(task)->loop);
    return 0;
}

int32_t run_closure_task(Task* task) {
    aclOpExecutor* e = static_cast<aclOpExecutor*>(task);
    return e->body(e->closure, Operands{e->views, e->views + e->in.count});
}

int32_t launch(aclOpExecutor* executor, aclrtStream stream, void* workspace, uint64_t workspace_size) {
    if (__builtin_expect(!live(executor), 0)) return refuse(executor);
    aclOpExecutor* task = executor;
    if (__builtin_expect(executor->missing || workspace_size, 0)) {
        if (int32_t status = check_launch(executor, workspace, workspace_size)) {
            if (!executor->repeatable) free_executor(executor);
            return status;
        }
    }
    if (__builtin_expect(executor->repeatable, 0)) {
        task = copy_for_run(executor);
        if (!task) return fail(ACLNN_ERR_INNER, "%s: no room for more executors; synchronise the stream", executor->op);
    }
    set_dead(task);  // from here on it belongs to the stream; a second launch is an error and not a crash
    return submit(stream, task) == 0 ? ACLNN_SUCCESS : ACLNN_ERR_RUNTIME_ERROR;
}

}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
    if (!executor) return fail(ACLNN_ERR_INNER_NULLPTR, "aclSetAclOpExecutorRepeatable: the executor is null");
    if (!live(executor)) {
        return fail(ACLNN_ERR_INNER,
                    "aclSetAclOpExecutorRepeatable: %p is no executor, or one that phase 2 has used up",
                    static_cast<const void*>(executor));
    }
    executor->repeatable = true;
    return ACLNN_SUCCESS;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
    if (!executor) return fail(ACLNN_ERR_INNER_NULLPTR, "aclDestroyAclOpExecutor: the executor is null");
    if (!live(executor)) {
        return fail(ACLNN_ERR_INNER,
                    "aclDestroyAclOpExecutor: %p is no executor; phase 2 frees one that is not repeatable",
                    static_cast<const void*>(executor));
    }
    set_dead(executor);
    if (executor->repeatable) {
        unreference(executor);  // the last run that is still queued frees it
    } else {
        free_executor(executor);
    }
    return ACLNN_SUCCESS;
}

}  // extern "C"
