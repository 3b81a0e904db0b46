using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>
/// Another program as a process of its own: in a process group of its own, with pipes for input, output and errors, and
/// with the environment that it is given and nothing of ours. It gets no other
/// descriptor of this process (glibc 2.34). One thread at a
/// time, but <see cref="Kill"/> may be called by any. Disposing of it kills it, and waits until it is gone.
/// </summary>
/// <remarks>It stays in this process's session: Linux shares processors among sessions first (autogroups, sched(7)),
/// and in one of its own a child would have as much as all of this process, however nice it is.</remarks>
[SupportedOSPlatform("linux")]
public sealed unsafe class ChildProcess : IDisposable
{
    private const int PipeSize = 1 << 20;
    private const int Pipes = 5;
    private const int FirstOther = 3;
    private const int UsageWords = 32;

    private readonly DescriptorHandle _input;
    private readonly DescriptorHandle _output;
    private readonly DescriptorHandle _errors;
    private readonly DescriptorHandle _self;
    private readonly Lock _life = new();
    private ChildEnd? _end;

    private ChildProcess(int id, DescriptorHandle input, DescriptorHandle output, DescriptorHandle errors)
    {
        (Id, _input, _output, _errors) = (id, input, output, errors);
        _self = new DescriptorHandle((int)ChildCalls.OpenProcess(ChildCalls.PidfdOpen, id, 0));
    }

    /// <summary>Its number, which is its group's, too.</summary>
    public int Id { get; }

    /// <summary>Whether <see cref="ChildReady.Ended"/> is told of it: not by a system before Linux 5.3, nor if there
    /// was no descriptor left.</summary>
    public bool TellsItsEnd => !_self.IsInvalid;

    /// <summary>Processor time that it used so far; zero if it is gone.</summary>
    public TimeSpan ProcessorTime =>
        // The clock of another process: its number, complemented, and the kind "scheduled".
        LinuxCalls.GetClock((~Id << 3) | 2, out ClockTime used) == 0
            ? TimeSpan.FromTicks((used.Seconds * TimeSpan.TicksPerSecond) + (used.Nanos / 100))
            : TimeSpan.Zero;

    /// <summary>Starts a program.</summary>
    /// <param name="program">Its path.</param>
    /// <param name="arguments">Without its own name, which is the path.</param>
    /// <param name="environment">All of it, as NAME=value.</param>
    /// <param name="folder">Its working folder (glibc 2.29); null: this process's own.</param>
    /// <exception cref="IOException">The system refuses: no such file, no right, too many processes. If it is the start
    /// itself, the system's error number is its <see cref="Exception.HResult"/>.</exception>
    public static ChildProcess Start(
        string program,
        IReadOnlyList<string> arguments,
        IReadOnlyList<string> environment,
        string? folder = null
    )
    {
        using PipePair input = PipePair.Open();
        using PipePair output = PipePair.Open();
        using PipePair errors = PipePair.Open();
        byte* actions = stackalloc byte[ChildCalls.SpawnBlock];
        byte* attributes = stackalloc byte[ChildCalls.SpawnBlock];
        byte* signals = stackalloc byte[ChildCalls.SignalSet];
        _ = ChildCalls.InitActions(actions);
        _ = ChildCalls.InitAttributes(attributes);
        using NativeTexts argumentTexts = new([program, .. arguments]);
        using NativeTexts environmentTexts = new(environment);
        int id;
        try
        {
            _ = ChildCalls.AddDuplicate(actions, input.Reader, 0);
            _ = ChildCalls.AddDuplicate(actions, output.Writer, 1);
            _ = ChildCalls.AddDuplicate(actions, errors.Writer, 2);
            CloseOthers(actions);
            if (folder is not null)
            {
                _ = ChildCalls.AddChangeFolder(actions, folder);
            }

            _ = ChildCalls.SetSpawnFlags(attributes, ChildCalls.SpawnFlags);
            _ = ChildCalls.EmptySignals(signals);
            _ = ChildCalls.SetBlockedSignals(attributes, signals);
            _ = ChildCalls.FillSignals(signals);
            _ = ChildCalls.SetDefaultSignals(attributes, signals);
            int error = ChildCalls.Spawn(
                &id,
                program,
                actions,
                attributes,
                argumentTexts.Pointers,
                environmentTexts.Pointers
            );
            if (error != 0)
            {
                throw new IOException($"{program}: {SystemError.Text(error)}", error);
            }
        }
        finally
        {
            _ = ChildCalls.DestroyActions(actions);
            _ = ChildCalls.DestroyAttributes(attributes);
        }

        return new ChildProcess(id, input.TakeWriter(PipeSize), output.TakeReader(PipeSize), errors.TakeReader(0));
    }

    /// <summary>Limits it from now on.</summary>
    /// <param name="what">What of it.</param>
    /// <param name="value">The limit.</param>
    /// <param name="last">Where there is a signal for those at the limit, the one that kills; 0: the same, so that none
    /// is warned.</param>
    /// <returns>False: the system refuses, or it is gone.</returns>
    public bool Limit(ChildLimit what, long value, long last = 0) =>
        ChildCalls.Limit(Id, (int)what, new LinuxCalls.ResourceLimit((ulong)value, (ulong)Math.Max(value, last)), null)
        == 0;

    /// <summary>All of its group is nicer to others from now on, and so is what it starts. It never fails: where the
    /// system does not allow it, nothing changes.</summary>
    /// <param name="nicer">By how much, 0 to 19; the system ends at a niceness of 19.</param>
    public void BeNicer(int nicer) =>
        _ = LinuxCalls.SetPriority(
            ChildCalls.OfGroup,
            (uint)Id,
            LinuxCalls.GetPriority(ChildCalls.OfGroup, (uint)Id) + nicer
        );

    /// <summary>Whether <see cref="Yield"/> can be taken back of it.</summary>
    public bool CanYield => Yielding.CanBeTakenBack(LinuxCalls.GetPriority(ChildCalls.OfGroup, (uint)Id));

    /// <summary>From now on all its threads have a processor only while nobody else of this session wants it, or have
    /// their share again. It never fails: where the system does not allow it, nothing changes.</summary>
    /// <param name="yields">Whether they yield.</param>
    public void Yield(bool yields) => Yielding.Set(Id, yields);

    /// <summary>Waits until a pipe has something to do.</summary>
    /// <param name="wanted">Which ones.</param>
    /// <param name="nanos">How long at most.</param>
    /// <param name="wake">Ends the wait from elsewhere; who waits resets it. Null: nothing does.</param>
    public ChildReady Wait(ChildReady wanted, long nanos, WakeSignal? wake = null)
    {
        LinuxCalls.PollDescriptor* pipes = stackalloc LinuxCalls.PollDescriptor[Pipes];
        pipes[0] = PollOf(_input, wanted, ChildReady.Input, (short)PollEvents.Writable);
        short outputEvents = (wanted & ChildReady.Output) != 0 ? (short)PollEvents.Readable : (short)0;
        pipes[1] = PollOf(_output, wanted, ChildReady.Output | ChildReady.OutputClosed, outputEvents);
        pipes[2] = PollOf(_errors, wanted, ChildReady.Errors, (short)PollEvents.Readable);
        pipes[3] = PollOf(_self, wanted, ChildReady.Ended, (short)PollEvents.Readable);
        pipes[4] = new LinuxCalls.PollDescriptor
        {
            Descriptor = wake is null ? -1 : (int)wake.Handle.DangerousGetHandle(),
            Events = (short)PollEvents.Readable,
        };
        LinuxCalls.TimeSpec limit = new(Math.Max(nanos, 0));
        if (LinuxCalls.Poll(pipes, Pipes, &limit, null) <= 0)
        {
            return ChildReady.None;
        }

        return (pipes[0].Returned != 0 ? ChildReady.Input : 0)
            | (pipes[1].Returned != 0 ? wanted & ChildReady.Output : 0)
            | ((pipes[1].Returned & (short)PollEvents.HangUp) != 0 ? wanted & ChildReady.OutputClosed : 0)
            | (pipes[2].Returned != 0 ? ChildReady.Errors : 0)
            | (pipes[3].Returned != 0 ? ChildReady.Ended : 0)
            | (pipes[4].Returned != 0 ? ChildReady.Woken : 0);
    }

    /// <summary>Writes to its input what fits now.</summary>
    /// <returns>How many bytes; 0: later; −1: it takes no more.</returns>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        fixed (byte* first = bytes)
        {
            return Outcome(LinuxCalls.Write(_input, first, bytes.Length));
        }
    }

    /// <summary>Says that there is no more input.</summary>
    public void CloseInput() => _input.Dispose();

    /// <summary>Reads what of its output is there.</summary>
    /// <returns>How many bytes; 0: later; −1: there will be no more.</returns>
    public int Read(Span<byte> bytes) => Read(_output, bytes);

    /// <summary>Reads what of its standard error is there.</summary>
    /// <returns>As <see cref="Read(Span{byte})"/>.</returns>
    public int ReadErrors(Span<byte> bytes) => Read(_errors, bytes);

    /// <summary>Kills all of its group. Any thread.</summary>
    public void Kill()
    {
        lock (_life)
        {
            if (_end is null)
            {
                // Both: before the child has made its group there is none of that number.
                _ = ChildCalls.Kill(-Id, ChildCalls.KillSignal);
                _ = ChildCalls.Kill(Id, ChildCalls.KillSignal);
            }
        }
    }

    /// <summary>Waits until it has ended; after <see cref="Kill"/> that is soon.</summary>
    public ChildEnd Reap()
    {
        if (_end is { } known)
        {
            return known;
        }

        int status;
        long* usage = stackalloc long[UsageWords];
        int result;
        // Its number is its own until it is answered here, under the lock, so that nobody kills whoever has it next.
        WaitUntilOver();
        lock (_life)
        {
            do
            {
                result = ChildCalls.Wait(Id, &status, 0, usage);
            } while (result < 0 && Marshal.GetLastPInvokeError() == SystemError.Interrupted);

            TimeSpan used = result < 0 ? TimeSpan.Zero : TimeOf(usage) + TimeOf(usage + 2);
            int signal = result < 0 ? 0 : status & 0x7F;
            _end = new ChildEnd(signal == 0 && result >= 0 ? (status >> 8) & 0xFF : -1, signal, used);
        }

        return _end.Value;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Kill();
        _ = Reap();
        _input.Dispose();
        _output.Dispose();
        _errors.Dispose();
        _self.Dispose();
    }

    /// <summary>What .NET opens is closed in children; what others opened in this process need not be.</summary>
    private static void CloseOthers(byte* actions)
    {
        try
        {
            _ = ChildCalls.AddCloseFrom(actions, FirstOther);
        }
        catch (EntryPointNotFoundException)
        {
            // An older C library: what was opened without close-on-exec goes on.
        }
    }

    private static LinuxCalls.PollDescriptor PollOf(
        DescriptorHandle pipe,
        ChildReady wanted,
        ChildReady kind,
        short events
    ) =>
        new()
        {
            // Negative: the system passes over it.
            Descriptor = (wanted & kind) == 0 || pipe.IsClosed || pipe.IsInvalid ? -1 : (int)pipe.DangerousGetHandle(),
            Events = events,
        };

    private static int Read(DescriptorHandle pipe, Span<byte> bytes)
    {
        fixed (byte* first = bytes)
        {
            nint read = LinuxCalls.Read(pipe, first, bytes.Length);
            return read == 0 && bytes.Length > 0 ? -1 : Outcome(read);
        }
    }

    private static int Outcome(nint result) =>
        result >= 0 ? (int)result
        : Marshal.GetLastPInvokeError() is SystemError.Again or SystemError.Interrupted ? 0
        : -1;

    private static TimeSpan TimeOf(long* time) =>
        TimeSpan.FromTicks((time[0] * TimeSpan.TicksPerSecond) + (time[1] * TimeSpan.TicksPerMicrosecond));

    /// <summary>Waits for its end and leaves it unanswered, so that its number is not given away.</summary>
    private void WaitUntilOver()
    {
        byte* facts = stackalloc byte[ChildCalls.SignalFacts];
        while (
            ChildCalls.WaitFor(ChildCalls.OfNumber, Id, facts, ChildCalls.EndedAndKept) < 0
            && Marshal.GetLastPInvokeError() == SystemError.Interrupted
        )
        {
            // Again.
        }
    }
}
