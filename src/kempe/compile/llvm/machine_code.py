"""LLVM IR to native code in this process, by llvmlite, which is imported on first use only."""

import functools
import hashlib
import importlib.util
import itertools
import os
import threading
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Final, final

from kempe import __version__
from kempe.compile.llvm.object_cache import ObjectCache, default_cache, object_key
from kempe.errors import MissingPart
from kempe.forking import free_in_children

OBJECT: Final = "object"  # the name of the native code among the blobs of a cache entry

MOST_THOROUGH: Final = 2000  # operations: a few tenths of a second
MOST_MODERATE: Final = 5000

OLDEST_LLVM: Final = (19, 0, 0)  # which reads splat constants

COMPILING: Final = threading.RLock()  # LLVM compiles one module at a time
free_in_children(COMPILING)
_NUMBERS: Final = itertools.count()


@final
class CompileEffort(Enum):
    """How hard the compiler works."""

    THOROUGH = "thorough"  # optimised as a whole: about 200 us for an operation
    MODERATE = "moderate"  # code generation only, on chunks: 40 us
    QUICK = "quick"  # code generation in a hurry: 17 us, and the code is 1.5 to 2 times slower

    @classmethod
    def for_length(cls, operations: int) -> "CompileEffort":
        """What is worth it for a program of so many operations."""
        if operations <= MOST_THOROUGH:
            return cls.THOROUGH
        return cls.MODERATE if operations <= MOST_MODERATE else cls.QUICK


_CODE_GENERATION: Final = {
    CompileEffort.THOROUGH: 2,
    CompileEffort.MODERATE: 1,
    CompileEffort.QUICK: 0,
}


def llvm_available() -> bool:
    """Whether native code can be compiled here; `llvm_reason` says why not."""
    return llvm_reason() == ""


@functools.cache
def llvm_reason() -> str:
    """Why native code cannot be compiled here; empty where it can."""
    if importlib.util.find_spec("llvmlite") is None:
        return "llvmlite is not installed; pip install llvmlite"
    try:
        from llvmlite import binding

        if binding.llvm_version_info < OLDEST_LLVM:
            return "llvmlite is too old; pip install 'llvmlite>=0.45'"
        _engine()
    except Exception as fault:
        return f"llvmlite does not work on this machine: {fault}"
    return ""


@final
class MachineCode:
    """Functions of an object, loaded into this process; they live as long as this does."""

    __slots__ = ("_engine", "_tracker", "image")

    def __init__(self, image: bytes, exports: Sequence[str]) -> None:
        from llvmlite import binding

        self.image = image
        with COMPILING:
            self._engine = _engine()
            builder = binding.JITLibraryBuilder().add_object_img(image).add_current_process()
            for name, address in _core_functions().items():
                builder.import_symbol(name, address)
            for name in exports:
                builder.export_symbol(name)
            self._tracker = builder.link(self._engine, f"kempe-{next(_NUMBERS)}")

    def address(self, name: str) -> int:
        """Where a function starts."""
        with COMPILING:
            return int(self._tracker[name])


def machine_key(structure: str) -> str:
    """The key of code in the cache: what it does, and what it was compiled for and by."""
    return object_key(structure, *_target_facts())


def machine_code(
    text: Callable[[], str],
    exports: Sequence[str],
    effort: CompileEffort,
    structure: str,
    cache: ObjectCache | None = None,
) -> MachineCode:
    """The functions of a module: from the cache where `structure` is known, else compiled.

    `text` is asked for only where the cache (None: the user's) has nothing.
    """
    require_llvm()
    store = default_cache() if cache is None else cache
    key = machine_key(structure)
    image = (store.load(key) or {}).get(OBJECT)
    if image is not None:
        try:
            return MachineCode(image, exports)
        except RuntimeError:
            pass  # an object of some other build: make it anew
    image = compile_object(text(), effort)
    store.store(key, {OBJECT: image})
    return MachineCode(image, exports)


def require_llvm() -> None:
    """Refuse in one sentence where native code cannot be compiled."""
    reason = llvm_reason()
    if reason:
        raise MissingPart(f"native code cannot be compiled: {reason}.", reason=reason)


def compile_object(text: str, effort: CompileEffort) -> bytes:
    """The object file of a module, position independent and free of addresses."""
    from llvmlite import binding

    with COMPILING:
        _engine()
        machine = _machine(effort)
        module = binding.parse_assembly(text)
        module.verify()
        if effort is CompileEffort.THOROUGH:
            _optimise(module, machine)
        image: bytes = machine.emit_object(module)
        return image


def _optimise(module: Any, machine: Any) -> None:
    """The few passes that matter: the tape is already optimised, and vectorising slows it down."""
    from llvmlite import binding

    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options())
    passes = binding.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)


@functools.cache
def _target_facts() -> tuple[str, ...]:
    """What native code depends on besides its source: processor, compiler, this package."""
    from llvmlite import binding

    version = ".".join(str(part) for part in binding.llvm_version_info)
    features = binding.get_host_cpu_features().flatten()
    return (
        binding.get_default_triple(),
        binding.get_host_cpu_name(),
        features,
        version,
        __version__,
        _source_digest(),
    )


def _source_digest() -> str:
    """A hash of the package's files by size and date: no object may outlive an edit.

    The compiled core is among them, wherever it lies: what it calls and is called by may have
    changed with it.
    """
    from kempe.algebra.native import core

    digest = hashlib.sha256()
    folders = [str(Path(__file__).parents[2])]
    try:
        built = os.stat(str(core.__file__))
        digest.update(f"{core.__file__} {built.st_size} {built.st_mtime_ns}\n".encode())
        while folders:
            for entry in sorted(os.scandir(folders.pop()), key=lambda entry: entry.name):
                if entry.name.endswith(".py"):
                    fact = entry.stat()
                    digest.update(f"{entry.path} {fact.st_size} {fact.st_mtime_ns}\n".encode())
                elif entry.is_dir():
                    folders.append(entry.path)
    except OSError:
        return ""
    return digest.hexdigest()


@functools.cache
def _engine() -> Any:
    from llvmlite import binding

    with COMPILING:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        return binding.create_lljit_compiler(
            _machine(CompileEffort.THOROUGH), use_jit_link=os.name != "nt"
        )


def _machine(effort: CompileEffort) -> Any:
    from llvmlite import binding

    # Small code model: constants stand next to the code. Windows can only load the large one.
    model = "jitdefault" if os.name == "nt" else "small"
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=_CODE_GENERATION[effort],
        reloc="pic",
        codemodel=model,
    )


@functools.cache
def _core_functions() -> dict[str, int]:
    from kempe.algebra.native import core

    return {function.name: function.address for function in core.functions()}
