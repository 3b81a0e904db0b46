using System.Security.Cryptography;
using CamCube.Messaging;

namespace CamCube.Services.Diagnostics.Streams;

/// <summary>Measures streams between two servers: one side writes as fast as they take it, the other reads and
/// forgets (docs/streams.md).</summary>
[CamCubeService(0x0103, "streams", Header = typeof(StreamsHeader))]
public sealed class StreamsService : CamCubeService, IServiceCommands, IStreamHandler
{
    // What it reads from services of its own kind alone; and what it answers with a sum of.
    private const ulong Label = 0x6D65_6173_7572_6564,
        Verified = 0x7665_7269_6669_6564;

    // Streams that are opened in one callback.
    private const int MostAtOnce = 256;

    private const long LeastShare = 8 << 10;

    // How often a command looks whether its time is over, and its client still there.
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(1);
    private readonly IServer _server;
    private readonly StreamsOptions _options;
    private readonly Dictionary<ReliableStream, SendRun> _runs = [];
    private readonly List<SendRun> _running = [];
    private readonly Dictionary<ReliableStream, VerifiedBytes> _read = [];
    private ushort _channels;

    /// <summary>A service for one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    public StreamsService(IServer server, StreamsOptions options)
    {
        (_server, _options) = (server, options);
        var streams = new StreamOptions
        {
            SendMemory = options.SendMemory,
            ReceiveMemory = options.ReceiveMemory,
            Streams = options.Streams,
        };
        Endpoint = new StreamEndpoint<StreamsHeader>(server, streams, this);
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<SendArguments, CommandResult>(
                "send",
                "Sends bytes to a server in streams, as fast as they go.",
                SendAsync,
                changes: true
            ),
            ServiceCommand.Of<ProgressArguments, CommandResult>(
                "progress",
                "What a command that sends has sent until now.",
                (arguments, _) => new(Progress(arguments.Run))
            ),
        ];

    internal StreamEndpoint<StreamsHeader> Endpoint { get; }

    /// <inheritdoc/>
    public override void OnStart() => Endpoint.Start();

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        Endpoint.Stop();
        foreach (VerifiedBytes verified in _read.Values)
        {
            verified.Dispose();
        }

        _read.Clear();
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) =>
        StreamEndpoint<StreamsHeader>.IsOfStreams(packet) ? Endpoint.OnPacket(hop, packet)
        : hop.IsDestination ? Verdict.Drop(DropReason.Malformed)
        : Verdict.Forward;

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => Endpoint.OnTopologyChanged(change);

    /// <inheritdoc/>
    public bool OnIncoming(ReliableStream stream)
    {
        if (stream.Label == Verified)
        {
            _read.Add(stream, new VerifiedBytes());
            return true;
        }

        stream.Complete();
        return stream.Label == Label;
    }

    /// <inheritdoc/>
    public void OnReadable(ReliableStream stream)
    {
        if (_runs.GetValueOrDefault(stream) is { } run)
        {
            run.Read(stream);
        }

        VerifiedBytes? verified = _read.GetValueOrDefault(stream);
        while (stream.Peek() is { IsEmpty: false } bytes)
        {
            verified?.Add(bytes);
            stream.Consume(bytes.Length);
        }

        if (stream.IsAtEnd && _read.Remove(stream, out _))
        {
            // There is room for it: LeastCredit.
            stream.Write(verified!.Sum);
            stream.Complete();
            verified.Dispose();
        }
    }

    /// <inheritdoc/>
    public void OnWritable(ReliableStream stream) => _runs.GetValueOrDefault(stream)?.Write(stream);

    /// <inheritdoc/>
    public void OnEnded(ReliableStream stream)
    {
        if (_runs.Remove(stream, out SendRun? run))
        {
            run.Take(stream);
        }
        else
        {
            if (_read.Remove(stream, out VerifiedBytes? verified))
            {
                verified.Dispose();
            }

            stream.Dispose();
        }
    }

    private CommandResult Progress(long number) =>
        _running.Find(run => run.Number == number && number != 0) is { } run
            ? CommandResult.Of(run.Progress)
            : CommandResult.Refused($"No command with run={number} sends here now.");

    private async ValueTask<CommandResult> SendAsync(SendArguments arguments, CommandContext context)
    {
        if (!TryRead(arguments, out StreamPaths paths, out string why))
        {
            return CommandResult.Refused(why);
        }

        long bytes = arguments.Bytes ?? (arguments.For is null ? SendArguments.UsualBytes : SendArguments.MostBytes);
        var run = new SendRun(_server, arguments, bytes, TakeChannel(arguments.To), ShareOf(arguments.Count));
        _running.Add(run);
        try
        {
            string? refusal = await OpenAsync(run, arguments, paths, context.Cancel);
            if (refusal is not null)
            {
                return CommandResult.Refused(refusal);
            }

            await EndAsync(run, arguments.For, context.Cancel);
        }
        finally
        {
            run.Abort(stream => _runs.Remove(stream));
            _running.Remove(run);
        }

        context.Cancel.ThrowIfCancellationRequested();
        return CommandResult.Of(run.Describe());
    }

    // Answers why one could not be opened, if so.
    private async ValueTask<string?> OpenAsync(
        SendRun run,
        SendArguments arguments,
        StreamPaths paths,
        CancellationToken cancel
    )
    {
        var parameters = new StreamParameters
        {
            Label = arguments.Verify ? Verified : Label,
            Paths = paths,
            Channel = run.Channel,
            LeastCredit = arguments.Verify ? SHA256.HashSizeInBytes : 0,
        };
        for (int i = 0; i < arguments.Count && !cancel.IsCancellationRequested; i++)
        {
            StreamOpen opened = Endpoint.TryOpen(arguments.To, parameters, out ReliableStream? stream);
            if (stream is null)
            {
                return opened == StreamOpen.NoRoute
                    ? $"to={arguments.To}: no way there is known."
                    : $"stream {i + 1} of {arguments.Count} to {arguments.To} was not opened: {opened}.";
            }

            _runs.Add(stream, run);
            run.Add(stream, i);
            if (i % MostAtOnce == MostAtOnce - 1)
            {
                await _server.DelayAsync(Look);
            }
        }

        return null;
    }

    private async ValueTask EndAsync(SendRun run, TimeSpan? time, CancellationToken cancel)
    {
        TimeSpan longest = _options.LongestTime;
        long untilNanos = _server.NowNanos + Nanos(time < longest ? time.Value : longest),
            lastNanos = untilNanos + Nanos(_options.Grace);
        bool isOver = false;
        while (run.Open > 0 && !cancel.IsCancellationRequested && _server.NowNanos < lastNanos)
        {
            if (!isOver && _server.NowNanos >= untilNanos)
            {
                isOver = true;
                run.Complete();
            }

            if (!await _server.DelayAsync(Look))
            {
                return;
            }

            run.WriteAll();
        }
    }

    // Commands have equal parts of the memory, or one with many streams would leave little to the others.
    private long ShareOf(int streams) => Math.Max(LeastShare, _options.SendMemory / _options.Commands / streams);

    private static long Nanos(TimeSpan time) => (long)time.TotalNanoseconds;

    // Connections are told apart by their channels, and share links by equal weights: each command has one to itself,
    // so that none gets more by having more streams. That of the other direction is another, too.
    private ushort TakeChannel(Coordinate to)
    {
        int side = _server.Shape.RankOf(_server.Coordinate) < _server.Shape.RankOf(to) ? 0 : 1;
        ushort channel;
        do
        {
            channel = (ushort)((++_channels << 1) | side);
        } while (_running.Exists(run => run.Channel == channel && run.To == to));
        return channel;
    }

    private bool TryRead(SendArguments arguments, out StreamPaths paths, out string why)
    {
        Coordinate self = _server.Coordinate;
        bool isLink = Links.TryParse(arguments.Paths, out Link link);
        paths =
            arguments.Paths == "one" ? StreamPaths.One
            : isLink ? StreamPaths.Via(link)
            : StreamPaths.All;
        why = "";
        if (!_server.Shape.Contains(arguments.To))
        {
            why = $"to={arguments.To} is outside of {_server.Shape}.";
        }
        else if (arguments.To == self)
        {
            why = $"to={arguments.To} is this very server; name another.";
        }
        else if (arguments.Count > _options.Streams)
        {
            why = $"count={arguments.Count} is more than the {_options.Streams} streams that a server has here.";
        }
        else if (_running.Count >= _options.Commands)
        {
            why = $"{_options.Commands} commands send from {self} already; try again later.";
        }
        else if (!isLink && arguments.Paths is not ("all" or "one"))
        {
            why = "paths must be all, one, +x, -x, +y, -y, +z or -z.";
        }
        else if (isLink && !_server.Shape.CabledLinks(self).Contains(link))
        {
            why = $"paths={link.Name()}: {self} has no cable there in {_server.Shape}.";
        }
        else if (isLink && _server.Shape.Step(self, link) != arguments.To)
        {
            why = $"paths={link.Name()} leads from {self} to {_server.Shape.Step(self, link)}, not to {arguments.To}.";
        }

        return why.Length == 0;
    }
}
