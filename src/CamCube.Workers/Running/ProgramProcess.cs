using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Workers;

/// <summary>A program's process, which has its limits before it is the program, and all that it starts. One thread, but
/// <see cref="Kill"/> and <see cref="KillAtExit"/> may be called by any.</summary>
[SupportedOSPlatform("linux")]
internal sealed class ProgramProcess : IDisposable
{
    private const string Shell = "/bin/sh";

    // Limits and groups are given from outside, to a process that is there: it waits until it has them before it turns
    // into the program. A shell reads a pipe byte by byte, so the program gets all of its input. Shells leave names out
    // of an environment, and put others in: env gives it.
    private const string Gate = "read -r go && exec \"$@\"";
    private const int GroupLooks = 200;
    private const long GroupLook = 1_000_000;
    private const int SignalKill = 9;
    private const int SignalProcessorTime = 24;
    private const int SignalFileLength = 25;

    private readonly ChildProcess _process;
    private readonly ControlGroup? _group;
    private readonly ProgramLimits _limits;

    /// <summary>Starts it, limited at once.</summary>
    /// <param name="start">What.</param>
    /// <param name="program">Its whole path, and what starts it before.</param>
    /// <param name="hasGroup">Whether it has a control group, where there are any.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    public ProgramProcess(ProgramStart start, string[] program, bool hasGroup)
    {
        _limits = start.Limits;
        string[] arguments =
        [
            "-c",
            Gate,
            Shell,
            "/usr/bin/env",
            "-i",
            "--",
            .. start.Environment,
            .. program,
            .. start.CommandLine.Skip(1),
        ];
        _process = ChildProcess.Start(Shell, arguments, [], start.Folder);
        if (!_process.TellsItsEnd)
        {
            _process.Dispose();
            throw new IOException("No descriptor is left for one more program.");
        }

        _group = hasGroup ? ControlGroup.TryMake() : null;
        if (_group is { } group && !group.TryAdd(_process.Id))
        {
            _ = group.TryRemove();
            _group = null;
        }

        _process.BeNicer(_limits.Nicer);
        _process.Limit(ChildLimit.Core, 0);
        LimitTo(ChildLimit.Data, _limits.MemoryBytes);
        LimitTo(ChildLimit.Descriptors, _limits.Descriptors);
        LimitTo(ChildLimit.FileLength, _limits.FileBytes);
        if (_limits.ProcessorTime > TimeSpan.Zero)
        {
            // A second between the signal that says why and the one that nobody can ignore.
            long seconds = (long)Math.Ceiling(_limits.ProcessorTime.TotalSeconds);
            _process.Limit(ChildLimit.ProcessorSeconds, seconds, seconds + 1);
        }

        _ = _process.Write("\n"u8);
    }

    /// <summary>As <see cref="ChildProcess.Wait"/>.</summary>
    public ChildReady Wait(ChildReady wanted, long nanos, WakeSignal wake) => _process.Wait(wanted, nanos, wake);

    /// <summary>As <see cref="ChildProcess.Write"/>.</summary>
    public int Write(ReadOnlySpan<byte> bytes) => _process.Write(bytes);

    /// <summary>As <see cref="ChildProcess.Read(Span{byte})"/>.</summary>
    public int Read(Span<byte> bytes) => _process.Read(bytes);

    /// <summary>As <see cref="ChildProcess.ReadErrors"/>.</summary>
    public int ReadErrors(Span<byte> bytes) => _process.ReadErrors(bytes);

    /// <summary>Says that there is no more input. Once or more.</summary>
    public void CloseInput() => _process.CloseInput();

    /// <summary>Kills it and its process group. Any thread.</summary>
    public void Kill() => _process.Kill();

    /// <summary>Kills it and all that it has started, while this process ends. Any thread.</summary>
    public void KillAtExit()
    {
        _process.Kill();
        _ = TryEndGroup();
    }

    /// <summary>Kills what is left of it, and waits until that is gone; but not for one that it has started and that
    /// the system does not let go.</summary>
    public ChildEnd End()
    {
        _process.Kill();
        ChildEnd end = _process.Reap();
        if (!TryEndGroup())
        {
            _group!.Leave();
        }

        return end;
    }

    /// <summary>Why it was killed.</summary>
    /// <param name="end">How it ended.</param>
    /// <param name="killed">What its caller has killed it for.</param>
    public ProgramKill WhyKilled(ChildEnd end, ProgramKill killed)
    {
        // Who ignores the signal: the system counts what it limits by ticks, and what it reports better.
        bool isTimeOver = _limits.ProcessorTime > TimeSpan.Zero && end.ProcessorTime > _limits.ProcessorTime / 2;
        return end.Signal switch
        {
            SignalKill when killed != ProgramKill.None => killed,
            SignalKill when isTimeOver => ProgramKill.Limit,
            SignalProcessorTime or SignalFileLength => ProgramKill.Limit,
            _ => ProgramKill.None,
        };
    }

    /// <inheritdoc/>
    public void Dispose() => _process.Dispose();

    private bool TryEndGroup()
    {
        _group?.Kill();
        for (int i = 0; _group is not null && !_group.TryRemove(); i++)
        {
            if (i == GroupLooks)
            {
                return false;
            }

            _ = _process.Wait(ChildReady.None, GroupLook);
        }

        return true;
    }

    private void LimitTo(ChildLimit what, long most)
    {
        if (most > 0)
        {
            _process.Limit(what, most);
        }
    }
}
