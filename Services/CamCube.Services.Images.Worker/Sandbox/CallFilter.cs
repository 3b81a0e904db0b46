using System.Runtime.InteropServices;

namespace CamCube.Services.Images.Worker.Sandbox;

/// <summary>The filter of system calls (seccomp) as a program for the kernel, and its beginning in all threads at
/// once.</summary>
internal static unsafe class CallFilter
{
    private const ushort Load = 0x20;
    private const ushort JumpIfEqual = 0x15;
    private const ushort JumpIfNotLess = 0x35;
    private const ushort JumpIfAny = 0x45;
    private const ushort Return = 0x06;
    private const uint Allow = 0x7FFF_0000;
    private const uint Errno = 0x0005_0000;
    private const uint KillProcess = 0x8000_0000;
    private const uint NotPermitted = Errno | 1;
    private const uint NotImplemented = Errno | 38;
    private const uint NumberAt = 0;
    private const uint ProcessorAt = 4;
    private const uint ArgumentsAt = 16;
    private const uint OtherTable = 0x4000_0000;
    private const uint ThreadFlag = 0x10000;

    // O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND and what is O_TMPFILE's own.
    private const uint WriteFlags = 1 | 2 | 0x40 | 0x200 | 0x400 | 0x40_0000;

    private const int SetFilter = 1;
    private const int AllThreads = 1;

    /// <summary>Begins. Needs no_new_privs in all threads.</summary>
    /// <param name="lacks">Gets a name if the kernel has it not.</param>
    public static void Begin(List<string> lacks)
    {
        Instruction[] program = CallTable.Processor == 0 ? [] : [.. Filter()];
        fixed (Instruction* first = program)
        {
            FilterProgram filter = new() { Length = (ushort)program.Length, Instructions = first };
            int call = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 317 : 277;
            if (program.Length == 0 || SystemCalls.Call(call, SetFilter, AllThreads, (nint)(&filter), 0) != 0)
            {
                lacks.Add("seccomp");
            }
        }
    }

    private static IEnumerable<Instruction> Filter()
    {
        yield return new Instruction(Load, 0, 0, ProcessorAt);
        yield return new Instruction(JumpIfEqual, 1, 0, CallTable.Processor);
        yield return new Instruction(Return, 0, 0, KillProcess);
        yield return new Instruction(Load, 0, 0, NumberAt);

        // x64 has a second table of the same calls, under other numbers.
        yield return new Instruction(JumpIfNotLess, 0, 1, OtherTable);
        yield return new Instruction(Return, 0, 0, NotPermitted);
        foreach ((uint number, CallRule rule) in CallTable.Here())
        {
            Instruction[] then = [.. Then(rule)];
            yield return new Instruction(JumpIfEqual, 0, (byte)then.Length, number);
            foreach (Instruction instruction in then)
            {
                yield return instruction;
            }
        }

        yield return new Instruction(Return, 0, 0, Allow);
    }

    private static Instruction[] Then(CallRule rule) =>
        rule switch
        {
            CallRule.Refuse => [new(Return, 0, 0, NotPermitted)],
            CallRule.Unknown => [new(Return, 0, 0, NotImplemented)],
            CallRule.ThreadsOnly => IfAny(0, ThreadFlag, Allow, NotPermitted),
            CallRule.ReadOnlyAtSecond => IfAny(1, WriteFlags, NotPermitted, Allow),
            CallRule.ReadOnlyAtThird => IfAny(2, WriteFlags, NotPermitted, Allow),
            _ =>
            [
                new(Load, 0, 0, ArgumentsAt),
                new(JumpIfEqual, 1, 0, (uint)Environment.ProcessId),
                new(JumpIfEqual, 0, 1, 0),
                new(Return, 0, 0, Allow),
                new(Return, 0, 0, NotPermitted),
            ],
        };

    private static Instruction[] IfAny(uint argument, uint bits, uint then, uint otherwise) =>
        [
            new(Load, 0, 0, ArgumentsAt + (8 * argument)),
            new(JumpIfAny, 0, 1, bits),
            new(Return, 0, 0, then),
            new(Return, 0, 0, otherwise),
        ];

    /// <summary>struct sock_filter.</summary>
    private readonly record struct Instruction(ushort Code, byte IfTrue, byte IfFalse, uint Value);

    /// <summary>struct sock_fprog.</summary>
    private struct FilterProgram
    {
        public ushort Length;
        public Instruction* Instructions;
    }
}
