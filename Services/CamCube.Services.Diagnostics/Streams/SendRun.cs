using CamCube.Messaging;

namespace CamCube.Services.Diagnostics.Streams;

/// <summary>Streams of one command to one server, and what became of them. They have connections of their own, so what
/// those count is the command's alone. Loop only.</summary>
/// <param name="server">The server that writes.</param>
/// <param name="arguments">What the command was told.</param>
/// <param name="bytes">Bytes of all streams.</param>
/// <param name="channel">The channel of the streams.</param>
/// <param name="share">Bytes that each stream keeps written and not arrived.</param>
internal sealed class SendRun(IServer server, SendArguments arguments, long bytes, ushort channel, long share)
{
    private const string Different = "Different";

    // As many as a connection can have.
    private const int MostPaths = Links.Cables + 1;
    private static readonly byte[] Zeros = new byte[16 << 10];
    private readonly Dictionary<ReliableStream, int> _open = [];
    private readonly Dictionary<ReliableStream, VerifiedBytes> _verified = [];
    private readonly SentStream?[] _streams = new SentStream?[arguments.Count];

    // Of those that were open when the time was over: what had arrived then.
    private readonly long[] _inTime = new long[arguments.Count];
    private readonly StreamPathReport[] _paths = new StreamPathReport[MostPaths];
    private readonly byte[] _piece = arguments.Verify ? new byte[Zeros.Length] : [];
    private readonly long _beganNanos = server.NowNanos;
    private long _endedNanos = server.NowNanos;
    private bool _isOver;
    private long _arrived;
    private int _pathCount;
    private string _end = nameof(StreamEndReason.Finished);

    /// <summary>The number that whoever gave the command asks by; 0: none.</summary>
    public long Number => arguments.Run;

    /// <summary>Where it sends.</summary>
    public Coordinate To => arguments.To;

    /// <summary>The channel of its streams.</summary>
    public ushort Channel => channel;

    /// <summary>Streams that have not ended.</summary>
    public int Open => _open.Count;

    /// <summary>What has arrived until now.</summary>
    public SendProgress Progress => new(Arrived, Seconds);

    private long Arrived => _arrived + _open.Sum(one => _isOver ? _inTime[one.Value] : one.Key.Acknowledged);

    private double Seconds => ((Open > 0 && !_isOver ? server.NowNanos : _endedNanos) - _beganNanos) / 1e9;

    /// <summary>Adds a stream, which is the run's now, and writes.</summary>
    public void Add(ReliableStream stream, int number)
    {
        _open.Add(stream, number);
        if (arguments.Verify)
        {
            _verified.Add(stream, new VerifiedBytes());
        }

        Write(stream);
    }

    /// <summary>Writes to all, up to their shares.</summary>
    public void WriteAll()
    {
        foreach (ReliableStream stream in _open.Keys)
        {
            Write(stream);
        }
    }

    /// <summary>Writes what there is room for, up to the stream's share.</summary>
    public void Write(ReliableStream stream)
    {
        if (_isOver || !_open.TryGetValue(stream, out int number))
        {
            return;
        }

        long goal = (bytes / arguments.Count) + (number < bytes % arguments.Count ? 1 : 0);
        while (stream.Written < goal)
        {
            if (stream.Written - stream.Acknowledged >= share)
            {
                return;
            }

            int most = (int)Math.Min(Zeros.Length, goal - stream.Written);
            if (WriteSome(stream, most) < most)
            {
                return;
            }
        }

        stream.Complete();
    }

    /// <summary>The reader says what it has.</summary>
    public void Read(ReliableStream stream)
    {
        if (_verified.GetValueOrDefault(stream) is { } verified)
        {
            verified.TakeTheirs(stream);
        }
    }

    /// <summary>The time is over: what was written still arrives, but does not count.</summary>
    public void Complete()
    {
        foreach ((ReliableStream stream, int number) in _open)
        {
            Look(stream);
            _inTime[number] = stream.Acknowledged;
            stream.Complete();
        }

        _isOver = true;
    }

    /// <summary>Breaks off what has not ended.</summary>
    /// <param name="ended">Told of each.</param>
    public void Abort(Action<ReliableStream> ended)
    {
        foreach (ReliableStream stream in _open.Keys.ToArray())
        {
            stream.Abort();
            ended(stream);
            Take(stream);
        }
    }

    /// <summary>A stream has ended, and is given back.</summary>
    public void Take(ReliableStream stream)
    {
        if (!_open.Remove(stream, out int number))
        {
            return;
        }

        Look(stream);
        long bytes = _isOver ? _inTime[number] : stream.Acknowledged;
        _arrived += bytes;
        string end = stream.End.ToString();
        string? sum = null;
        if (_verified.Remove(stream, out VerifiedBytes? verified))
        {
            bool isFinished = stream.End.Reason == StreamEndReason.Finished;
            sum = isFinished && verified.IsSame ? Convert.ToHexStringLower(verified.Sum) : null;
            end = isFinished && sum is null ? Different : end;
            verified.Dispose();
        }

        _streams[number] = new SentStream(bytes, (_endedNanos - _beganNanos) / 1e9, end, sum);
        if (end != nameof(StreamEndReason.Finished) && _end == nameof(StreamEndReason.Finished))
        {
            _end = end;
        }

        stream.Dispose();
    }

    /// <summary>What became of it.</summary>
    public SentAnswer Describe() =>
        new(
            server.Coordinate.ToString(),
            To.ToString(),
            Arrived,
            Seconds,
            Seconds > 0 ? Math.Round(Arrived * 8 / Seconds, 1) : 0,
            _end,
            [
                .. _paths[.._pathCount]
                    .Where(path => path.Packets > 0)
                    .OrderBy(path => (int)(path.Link ?? Link.Local))
                    .Select(path => SentPath.Of(path)),
            ],
            [.. _streams.Select(stream => stream!)]
        );

    private int WriteSome(ReliableStream stream, int most)
    {
        if (_verified.GetValueOrDefault(stream) is not { } verified)
        {
            return stream.Write(Zeros.AsSpan(0, most));
        }

        Span<byte> bytes = _piece.AsSpan(0, most);
        VerifiedBytes.Fill(bytes, stream.Written);
        int written = stream.Write(bytes);
        verified.Add(bytes[..written]);
        return written;
    }

    private void Look(ReliableStream stream)
    {
        if (!_isOver)
        {
            _endedNanos = server.NowNanos;
            _pathCount = Math.Max(_pathCount, stream.CopyPaths(_paths));
        }
    }
}
