using System.Buffers;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Workers;

/// <summary>
/// One worker: a process with limits, which answers one frame to one request. After anything but an answer it is of no
/// use. One thread.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class WorkerProcess : IDisposable
{
    private const int FirstBuffer = 64 << 10;
    private const int ErrorPieces = 64;
    private readonly WorkerKind _kind;
    private readonly ChildProcess _process;
    private readonly TimeProvider _time;
    private readonly ErrorLines _errors;
    private readonly bool _canYield;
    private bool _hasErrors = true;
    private bool _isYielding;

    /// <summary>Starts one, limited before it has read anything.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    public WorkerProcess(WorkerKind kind, TimeProvider time)
    {
        (_kind, _time) = (kind, time);
        _process = ChildProcess.Start(kind.Program, kind.Arguments, kind.Environment);
        _errors = new ErrorLines($"{kind.Name} worker {_process.Id}", kind.Log);
        WorkerOptions options = kind.Options;
        _process.BeNicer(options.Nicer);
        _canYield = options.YieldTime > TimeSpan.Zero && _process.CanYield;
        Yield(_canYield);
        _process.Limit(ChildLimit.Data, options.MemoryLimit);
        _process.Limit(ChildLimit.ProcessorSeconds, (long)Math.Ceiling(options.ProcessorLimit.TotalSeconds));
        _process.Limit(ChildLimit.Descriptors, options.DescriptorLimit);
        _process.Limit(ChildLimit.FileLength, options.FileLimit);
        _process.Limit(ChildLimit.Core, 0);
    }

    /// <summary>Its process's number.</summary>
    public int Id => _process.Id;

    /// <summary>Whether one more job might take it over its processor time.</summary>
    public bool IsWornOut => _process.ProcessorTime > _kind.Options.ProcessorLimit - _kind.Options.Deadline;

    /// <summary>Waits for its first frame.</summary>
    public Exchange Greet() => Talk(default, _kind.Protocol.MeasureHello, _kind.Options.StartDeadline);

    /// <summary>Sends a request and waits for the answer.</summary>
    public Exchange Ask(ReadOnlySequence<byte> request) =>
        Talk(request, _kind.Protocol.MeasureAnswer, _kind.Options.Deadline);

    /// <summary>Whether it has said something that nobody asked for, or is gone: then it is not to be asked.</summary>
    public bool HasGoneWrong => _process.Wait(ChildReady.Output | ChildReady.Ended, 0) != ChildReady.None;

    /// <summary>Kills it. Any thread.</summary>
    public void Kill() => _process.Kill();

    /// <summary>Kills it if it lives, and says how it ended.</summary>
    public ChildEnd End()
    {
        _process.Kill();
        return _process.Reap();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _process.Kill();
        ReadErrors();
        _errors.Flush();
        _process.Dispose();
    }

    private Exchange Talk(ReadOnlySequence<byte> request, Func<ReadOnlySpan<byte>, int> measure, TimeSpan deadline)
    {
        long began = _time.GetTimestamp();
        byte[] buffer = ArrayPool<byte>.Shared.Rent(FirstBuffer);
        int have = 0;
        int needed = Measured(measure, buffer, have);
        try
        {
            while (needed > have || !request.IsEmpty)
            {
                TimeSpan passed = _time.GetElapsedTime(began);
                if (passed >= deadline)
                {
                    return Failed(WorkerStatus.TimedOut, $"no answer within {deadline.TotalSeconds} s");
                }

                // Others cannot keep it from its end.
                TimeSpan yieldTime = _kind.Options.YieldTime;
                Yield(_isYielding && passed < yieldTime);
                TimeSpan until = _isYielding && yieldTime < deadline ? yieldTime : deadline;
                long left = (long)((until - passed).TotalMilliseconds * 1_000_000);
                ChildReady ready = _process.Wait(Wanted(request.IsEmpty), left);
                if ((ready & ChildReady.Errors) != 0)
                {
                    ReadErrors();
                }

                if ((ready & ChildReady.Output) != 0)
                {
                    int read = _process.Read(buffer.AsSpan(have));
                    if (read < 0)
                    {
                        return Failed(WorkerStatus.Died, End().ToString());
                    }

                    have += read;
                    needed = Measured(measure, buffer, have);
                    if (needed < 0 || have > needed || (have == needed && !request.IsEmpty))
                    {
                        return Failed(WorkerStatus.Rubbish, "what it answers is no frame");
                    }

                    if (needed > buffer.Length)
                    {
                        Grow(ref buffer, have, needed);
                    }
                }

                if ((ready & (ChildReady.Ended | ChildReady.Output)) == ChildReady.Ended)
                {
                    // All that it said was read; what it has started may hold its pipes open for long.
                    return Failed(WorkerStatus.Died, End().ToString());
                }

                if ((ready & ChildReady.Input) != 0 && !TryWrite(ref request))
                {
                    return Failed(WorkerStatus.Died, End().ToString());
                }
            }

            Yield(_canYield);
            return new Exchange(WorkerStatus.Answered, buffer.AsSpan(0, needed).ToArray(), "");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private void Yield(bool yields)
    {
        if (yields != _isYielding)
        {
            _isYielding = yields;
            _process.Yield(yields);
        }
    }

    private ChildReady Wanted(bool isSent) =>
        ChildReady.Output
        | ChildReady.Ended
        | (isSent ? ChildReady.None : ChildReady.Input)
        | (_hasErrors ? ChildReady.Errors : ChildReady.None);

    private int Measured(Func<ReadOnlySpan<byte>, int> measure, byte[] buffer, int have)
    {
        int needed = measure(buffer.AsSpan(0, have));
        return needed > _kind.Options.AnswerLimit ? WorkerProtocol.Rubbish : needed;
    }

    private bool TryWrite(ref ReadOnlySequence<byte> request)
    {
        while (!request.IsEmpty)
        {
            int written = _process.Write(request.FirstSpan);
            if (written <= 0)
            {
                return written == 0;
            }

            request = request.Slice(written);
        }

        return true;
    }

    private void ReadErrors()
    {
        // Not more in one turn: who writes as fast as this reads must not keep the deadline away.
        Span<byte> piece = stackalloc byte[1_024];
        int read;
        for (int i = 0; i < ErrorPieces && _hasErrors && (read = _process.ReadErrors(piece)) != 0; i++)
        {
            _hasErrors = read > 0;
            _errors.Add(piece[..Math.Max(read, 0)]);
        }
    }

    private static void Grow(ref byte[] buffer, int have, int needed)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(needed);
        buffer.AsSpan(0, have).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(buffer);
        buffer = larger;
    }

    private static Exchange Failed(WorkerStatus status, string text) => new(status, [], text);
}
