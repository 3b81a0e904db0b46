using CamCube.Runtime.Observing;

namespace CamCube.Simulator.Seeing;

/// <summary>
/// What happened in a cube as a file in the trace event format of Chrome, which ui.perfetto.dev opens: a server is a
/// process; its links and services are threads; a packet is a slice on the link from its first bit to its last; sends
/// and verdicts are instants of the service, drops, faults and changes of views are instants of the server. Faults of a
/// swarm run are spans of a process of their own. Equal runs give equal files. Observers run on the threads of their
/// servers; everything else is called while no server runs.
/// </summary>
public sealed class Timeline : IDisposable
{
    private readonly TorusShape _shape;
    private readonly TimelineOptions _options;
    private readonly TimelineWriter _writer;
    private readonly Observer?[] _servers;
    private volatile bool _isFull;
    private bool _isClosed;

    /// <summary>Begins a file.</summary>
    /// <param name="stream">Where it goes. The timeline owns it and closes it.</param>
    /// <param name="shape">The cube.</param>
    /// <param name="nameOf">Names of services.</param>
    /// <param name="options">Limits.</param>
    public Timeline(Stream stream, TorusShape shape, Func<ServiceId, string> nameOf, TimelineOptions? options = null)
    {
        (_shape, _options, _servers) = (shape, options ?? new TimelineOptions(), new Observer?[shape.Count]);
        _writer = new TimelineWriter(stream, shape, nameOf);
    }

    /// <summary>Events in the file, as of the last <see cref="Write"/>; names of processes and threads do not
    /// count.</summary>
    public long Events { get; private set; }

    /// <summary>Virtual time of the first event that had no room any more, or null.</summary>
    public long? CutOffNanos { get; private set; }

    /// <summary>The observer of a server, the same in all its runs.</summary>
    public IServerObserver ObserverOf(Coordinate server) => Of(server);

    /// <summary>Something happened to the cube: what <c>SimulatorOptions.Noted</c> is to be.</summary>
    public void Note(CubeNote note)
    {
        if (!_isFull)
        {
            string kind = note.Kind == CubeNoteKind.ViewChanged ? "view: " : "";
            TimelineKind shownAs = note.Kind switch
            {
                CubeNoteKind.FaultBegan => TimelineKind.FaultBegan,
                CubeNoteKind.FaultEnded => TimelineKind.FaultEnded,
                _ => TimelineKind.Note,
            };
            Of(note.Server)
                .Events.Add(
                    new TimelineEvent(note.TimeNanos, shownAs, default, Note: kind + note.Text, Fault: note.Fault)
                );
        }
    }

    /// <summary>Writes what was seen since the last time, in order of time and then of ranks.</summary>
    public void Write()
    {
        var all = new List<(TimelineEvent Event, int Rank)>();
        for (int rank = 0; rank < _servers.Length; rank++)
        {
            if (_servers[rank] is { } server)
            {
                foreach (TimelineEvent e in server.Events)
                {
                    all.Add((e, rank));
                }

                server.Events.Clear();
            }
        }

        // Stable, so that a server's events of one moment stay in their order.
        foreach ((TimelineEvent e, int rank) in all.OrderBy(item => item.Event.TimeNanos).ThenBy(item => item.Rank))
        {
            if (Events == _options.MostEvents)
            {
                CutOffNanos ??= e.TimeNanos;
                _isFull = true;
                break;
            }

            _writer.Write(e, rank);
            Events++;
        }

        _writer.Flush();
    }

    /// <summary>Writes the rest and closes the file.</summary>
    public void Dispose()
    {
        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        Write();
        if (CutOffNanos is { } cutOff)
        {
            _writer.CutOff(cutOff, Events);
        }

        _writer.Dispose();
    }

    private Observer Of(Coordinate server) => _servers[_shape.RankOf(server)] ??= new Observer(this);

    private sealed class Observer(Timeline timeline) : PacketObserver
    {
        private Link _on;

        public List<TimelineEvent> Events { get; } = [];

        public override void Sent(in PacketSummary packet, LinkSet links, long now) =>
            Add(new TimelineEvent(now, TimelineKind.Sent, packet));

        public override void Arrived(in PacketSummary packet, Link on, bool isDestination, long now) => _on = on;

        public override void Decided(in PacketSummary packet, Verdict verdict, LinkSet links, long now) =>
            Add(new TimelineEvent(now, TimelineKind.Verdict, packet, Link: _on, Verdict: verdict));

        public override void Threw(in PacketSummary packet, long now) =>
            Add(new TimelineEvent(now, TimelineKind.Threw, packet, Link: _on));

        public override string? ContentsOf(ServiceId service, ReadOnlySpan<byte> header, ReadOnlySpan<byte> body) =>
            timeline._isFull ? null : timeline._options.ContentsOf?.Invoke(service, header, body);

        public override void Left(in PacketSummary packet, Link link, long now, long busyUntil, bool isLost) =>
            Add(
                new TimelineEvent(
                    now,
                    isLost ? TimelineKind.LostOnLink : TimelineKind.OnLink,
                    packet,
                    busyUntil == long.MaxValue ? 0 : busyUntil - now,
                    link
                )
            );

        public override void Dropped(in PacketSummary packet, DropReason reason, long now) =>
            Add(new TimelineEvent(now, TimelineKind.Dropped, packet, Reason: reason));

        private void Add(in TimelineEvent e)
        {
            if (!timeline._isFull && e.TimeNanos >= timeline._options.FromNanos)
            {
                Events.Add(e);
            }
        }
    }
}
