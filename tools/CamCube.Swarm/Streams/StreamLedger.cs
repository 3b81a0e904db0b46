using CamCube.Messaging;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Streams;

/// <summary>
/// Knows both sides of every stream of a cube, and what must be so of them (docs/simulator.md). Told by the services
/// while one thread drives the cube, and looks between advances.
/// </summary>
/// <param name="settings">What is done.</param>
public sealed class StreamLedger(StreamSettings settings)
{
    // Who only reads learns of another run by its own silence.
    private const long RestartNanos = 2_500_000_000;
    private const int LooksPerCheck = 5,
        PageBytes = 4_096,
        SilencePerAsk = 4;

    private readonly Dictionary<ulong, StreamRecord> _all = [];
    private readonly List<StreamRecord> _live = [];
    private readonly PromiseChecker _bytes = new("stream-bytes"),
        _runs = new("stream-runs"),
        _finished = new("stream-finished"),
        _memory = new("stream-memory"),
        _progress = new("stream-progress"),
        _ends = new("stream-ends"),
        _rest = new("stream-rest");
    private long _looks;
    private StreamTrafficService?[] _instances = [];
    private long[] _startedNanos = [];
    private SwarmCube? _cube;
    private long _stillNanos = long.MaxValue;
    private long _settleNanos;
    private long _newsNanos;
    private long _frameNanos;
    private long _progressNanos;
    private long _longestNanos;

    /// <summary>What it checks.</summary>
    public IReadOnlyList<Checker> Checkers => [_bytes, _runs, _finished, _memory, _progress, _ends, _rest];

    /// <summary>What happened.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>Longest time for which a stream of a settled cube did nothing though it had to, in
    /// nanoseconds.</summary>
    public long LongestNanos => _longestNanos;

    /// <summary>Nothing but streams that linger.</summary>
    public bool IsIdle => Running.All(s => s.Sides.Count == 0 && s.Endpoint.Streams == 0);

    private IEnumerable<StreamTrafficService> Running => _instances.OfType<StreamTrafficService>().Where(Runs);

    private long Now => _cube!.Cube.NowNanos;

    /// <summary>The cube stands.</summary>
    public void Begin(SwarmCube cube)
    {
        _cube = cube;
        int servers = cube.Truth.Shape.Count;
        if (_instances.Length == 0)
        {
            (_instances, _startedNanos) = (new StreamTrafficService?[servers], new long[servers]);
        }
    }

    /// <summary>From now on nothing changes; or it may again.</summary>
    public void StandStill(bool isStill)
    {
        const int Packets = 30;
        const long Waits = 10_000_000;
        _stillNanos = isStill ? Now : long.MaxValue;
        SwarmOptions options = _cube!.Options;
        long detection = (long)options.DetectionTime.TotalNanoseconds,
            hops = _cube.Truth.Diameter();

        // As ConvergenceChecker has it; and where servers only stop and start, detection with half of it for the news
        // to go round.
        _settleNanos = (3 * detection) + (1_000_000L * hops);
        _newsNanos = options.IsStrict ? (3 * detection / 2) + (1_000_000L * hops) : _settleNanos;
        _frameNanos = options.MaxFrameLength * 8_000_000_000L / options.LinkBitsPerSecond;
        _progressNanos = 4 * ((2 * hops * (options.LinkDelayNanos + (Packets * _frameNanos))) + Waits);
    }

    /// <summary>An instance has started.</summary>
    public void Started(StreamTrafficService service)
    {
        if (_instances.Length <= service.Rank)
        {
            // The cube is being made.
            Array.Resize(ref _instances, service.Rank + 1);
            Array.Resize(ref _startedNanos, service.Rank + 1);
        }

        _instances[service.Rank] = service;
        _startedNanos[service.Rank] = _cube is null ? 0 : Now;
    }

    /// <summary>A stream was asked for.</summary>
    public void NoteOpen(StreamOpen answer) => Tally.Add($"stream open: {answer}");

    /// <summary>A stream was asked for when the endpoint had stopped.</summary>
    public void NoteOpenedAfterStop(StreamTrafficService service, StreamOpen answer) =>
        _rest.Check(false, Now, () => $"{service.Place} had stopped, and TryOpen said {answer}.");

    /// <summary>A stream was opened.</summary>
    public void Opened(StreamSide opener, int to)
    {
        var record = new StreamRecord(opener, to);
        _runs.Check(_all.TryAdd(opener.Label, record), Now, () => $"two streams have the label {opener.Label:x16}.");
        _live.Add(record);
    }

    /// <summary>An endpoint tells of a stream. Whether that can be.</summary>
    public bool Accepted(StreamTrafficService service, ReliableStream stream)
    {
        if (!_all.TryGetValue(stream.Label, out StreamRecord? record))
        {
            return _runs.Check(
                false,
                Now,
                () => $"{service.Place} was told of {stream.Label:x16}, which nobody opened."
            );
        }

        ulong run = service.Endpoint.Run,
            opener = record.Opener.Owner.Endpoint.Run,
            asked = record.Opener.PeerRun;
        // One of which nobody has answered for anything may begin anew; it has no byte then.
        bool isFirst = record.AcceptorRun == 0 || (record.Acceptor?.Seen ?? 0) == 0;
        bool isRight = record.To == service.Rank && isFirst && stream.PeerRun == opener && (asked == 0 || asked == run);
        _runs.Check(
            isRight,
            Now,
            () =>
                $"run {run:x} of {service.Place} was told of a stream of run {stream.PeerRun:x}; it was opened by run "
                + $"{opener:x} to run {asked:x}, and run {record.AcceptorRun:x} was told before: {record}."
        );
        record.AcceptorRun = run;
        return isRight;
    }

    /// <summary>The other side of a stream.</summary>
    public void Add(StreamSide acceptor)
    {
        StreamRecord record = _all[acceptor.Label];
        record.Acceptor = acceptor;
        if (!record.IsLive)
        {
            record.IsLive = true;
            _live.Add(record);
        }
    }

    /// <summary>Bytes were read, and are what was written.</summary>
    public void NoteRead(StreamTrafficService service)
    {
        _bytes.NoteRight();
        LookAt(service);
    }

    /// <summary>A byte was not what was written.</summary>
    public void NoteWrong(StreamSide side, long offset) =>
        _bytes.Check(false, Now, () => $"byte {offset} is wrong in {_all[side.Label]}.");

    /// <summary>A side has ended.</summary>
    public void Ended(StreamSide side)
    {
        Tally.Add($"stream ended: {side.End.Reason}");
        StreamRecord record = _all[side.Label];
        StreamSide? other = side.IsOpener ? record.Acceptor : record.Opener;
        if (side.End.Reason != StreamEndReason.Finished)
        {
            CheckLoss(record, side);
            return;
        }

        // Who has given its side back before it had all did not want the rest: that may cross.
        bool hasAll = other is not null && (other.Seen == side.Written || (other.IsGone && !other.End.HasEnded));
        _finished.Check(
            hasAll && side.Read == side.Seen && side.Read == other!.Written,
            Now,
            () => $"{(side.IsOpener ? "the opener" : "the acceptor")} takes it for finished: {record}."
        );
    }

    /// <summary>Looks at one endpoint, between two of its callbacks.</summary>
    public void LookAt(StreamTrafficService service)
    {
        StreamOptions options = settings.Options;
        _memory.Check(
            service.Endpoint.SendBytes <= options.SendMemory && service.Endpoint.ReceiveBytes <= options.ReceiveMemory,
            Now,
            () =>
                $"{service.Place} has set apart {service.Endpoint.SendBytes} of {options.SendMemory} bytes to send and "
                + $"{service.Endpoint.ReceiveBytes} of {options.ReceiveMemory} received."
        );
    }

    /// <summary>Looks at all.</summary>
    public void Look()
    {
        foreach (StreamTrafficService service in Running)
        {
            LookAt(service);
        }

        // Each stream is looked at now and then: there may be thousands.
        if (++_looks % LooksPerCheck != 0)
        {
            return;
        }

        _live.RemoveAll(r => !(r.IsLive = IsThere(r.Opener) || (r.Acceptor is { } a && IsThere(a))));
        bool isSettled = _stillNanos != long.MaxValue && Now - _stillNanos > _settleNanos;
        foreach (StreamRecord record in _live)
        {
            record.Look(Now);
            if (!record.IsReported && _stillNanos != long.MaxValue)
            {
                CheckEnds(record, isSettled);
                if (isSettled)
                {
                    CheckProgress(record);
                }
            }
        }
    }

    /// <summary>All is over, and the cube still stands: nothing is left.</summary>
    public void Finish()
    {
        foreach (StreamTrafficService service in Running)
        {
            StreamEndpoint<StreamPacketHeader> endpoint = service.Endpoint;
            _rest.Check(
                (service.Sides.Count, endpoint.Streams, endpoint.SendBytes, endpoint.ReceiveBytes) == (0, 0, 0, 0),
                Now,
                () =>
                    $"{service.Place} still has {service.Sides.Count} streams, its endpoint {endpoint.Streams} with "
                    + $"{endpoint.SendBytes} bytes to send and {endpoint.ReceiveBytes} received: "
                    + string.Join(" | ", service.Sides.Take(3).Select(s => _all[s.Label]))
            );
        }

        Tally.Add("stream bytes read", _all.Values.Sum(r => r.Opener.Read + (r.Acceptor?.Read ?? 0)));
        Tally.Add("stream without progress, longest (ms)", _longestNanos / 1_000_000);
    }

    // Four probe times of a path whose hops have no more waiting than what they mark, and a turn of every stream there
    // is.
    private long ProgressNanos => _progressNanos + (_live.Count * _frameNanos);

    private bool Runs(StreamTrafficService service) =>
        _cube!.Truth.Runs(service.Rank) && _instances[service.Rank] == service;

    private bool IsThere(StreamSide side) => !side.IsGone && Runs(side.Owner);

    private void CheckEnds(StreamRecord record, bool isSettled)
    {
        CheckEnd(record, record.Opener, record.To, record.AcceptorRun, isSettled);
        if (record.Acceptor is { } acceptor)
        {
            CheckEnd(record, acceptor, record.Opener.Owner.Rank, record.Opener.Owner.Endpoint.Run, isSettled);
        }
    }

    // In a cube that has stood still for so long nobody is lost, or silent.
    private void CheckLoss(StreamRecord record, StreamSide side)
    {
        bool isLoss = side.End.Reason is StreamEndReason.PeerLost or StreamEndReason.PeerSilent;
        long quiet = _settleNanos + (long)settings.Options.SilenceTime.TotalNanoseconds;
        if (!isLoss || _stillNanos == long.MaxValue || Now - _stillNanos <= quiet)
        {
            return;
        }

        int peer = side.IsOpener ? record.To : record.Opener.Owner.Rank;
        TrueCube truth = _cube!.Truth;
        bool isThere =
            truth.Runs(peer)
            && !_cube.Cube.IsPaused(peer)
            && truth.ComponentOf(peer) == truth.ComponentOf(side.Owner.Rank);
        _ends.Check(
            !isThere,
            Now,
            () => $"nothing has changed for {(Now - _stillNanos) / 1e6:F0} ms, and the peer is there: {record}."
        );
    }

    private void CheckEnd(StreamRecord record, StreamSide side, int peer, ulong run, bool isSettled)
    {
        if (!IsThere(side) || side.End.HasEnded)
        {
            return;
        }

        bool runs = _cube!.Truth.Runs(peer),
            isDead = !runs && Now - _stillNanos > _newsNanos,
            isApart = isSettled && _cube.Truth.ComponentOf(peer) != _cube.Truth.ComponentOf(side.Owner.Rank),
            isAnother =
                runs
                && run != 0
                && _instances[peer]?.Endpoint.Run != run
                && Now - Math.Max(_stillNanos, _startedNanos[peer]) > RestartNanos;
        record.IsReported = !_ends.Check(
            !isDead && !isApart && !isAnother,
            Now,
            () =>
                $"{(isDead ? "the peer is down" : isApart ? "the peer is cut off" : "the peer runs anew")} for "
                + $"{(Now - _stillNanos) / 1e6:F0} ms and longer: {record}."
        );
    }

    private void CheckProgress(StreamRecord record)
    {
        for (int direction = 0; direction < 2; direction++)
        {
            long since = Math.Max(record.ProgressNanos[direction], _stillNanos + _settleNanos);
            if (!IsOwed(record, direction == 0))
            {
                record.ProgressNanos[direction] = Now;
                continue;
            }

            // What only one side's view has lost the other learns when it asks.
            bool isOneSided = IsOneSided(record, direction == 0) || IsOneSided(record, direction == 1);
            long limit =
                ProgressNanos + (isOneSided ? (long)settings.Options.SilenceTime.TotalNanoseconds / SilencePerAsk : 0);
            _longestNanos = Math.Max(_longestNanos, isOneSided ? 0 : Now - since);
            if (
                !_progress.Check(
                    Now - since <= limit,
                    Now,
                    () =>
                        $"nothing happened for {(Now - since) / 1e6:F1} ms {(direction == 0 ? "there" : "back")}: "
                        + $"{record}. Received are {record.Opener.Owner.Endpoint.ReceiveBytes} and "
                        + $"{record.Acceptor?.Owner.Endpoint.ReceiveBytes} of {settings.Options.ReceiveMemory} bytes, "
                        + $"first credit {settings.Options.FirstCredit}."
                )
            )
            {
                record.IsReported = true;
                return;
            }
        }
    }

    // Whether something must happen in a direction, as far as can be seen from outside.
    private bool IsOwed(StreamRecord record, bool isThere)
    {
        StreamSide opener = record.Opener;
        if (!Runs(opener.Owner) || !_cube!.Truth.Runs(record.To) || _cube.Cube.IsPaused(record.To))
        {
            return false;
        }

        if (record.Acceptor is not { } acceptor)
        {
            // Asked for, and nobody answered.
            return isThere && record.AcceptorRun == 0 && !opener.IsGone && !opener.End.HasEnded;
        }

        if (!Runs(acceptor.Owner))
        {
            return false;
        }

        (StreamSide writer, StreamSide reader) = isThere ? (opener, acceptor) : (acceptor, opener);
        bool hasRoom =
            reader.Owner.Endpoint.ReceiveBytes + settings.Options.FirstCredit + (2 * PageBytes)
            <= settings.Options.ReceiveMemory;
        bool hasMore = writer.Written > reader.Seen && !writer.End.HasEnded && !reader.IsGone && reader.KeepsUp;
        return (hasMore && hasRoom) || IsOneSided(record, isThere);
    }

    // The writer's side has ended, and the reader's does not know it.
    private static bool IsOneSided(StreamRecord record, bool isThere)
    {
        (StreamSide? writer, StreamSide? reader) = isThere
            ? (record.Opener, record.Acceptor)
            : (record.Acceptor, record.Opener);
        return writer is { End.HasEnded: true } && reader is { IsGone: false, End.HasEnded: false, KeepsUp: true };
    }
}
