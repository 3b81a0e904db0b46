using CamCube.Cables;

namespace CamCube.Cabling;

/// <summary>
/// Gives every server's newest report to every server: a newer one is forwarded on all other links, and neighbours
/// whose sums differ send each other lists of what they know, which repairs losses. Loop only.
/// </summary>
internal sealed class ReportExchange(CablingState state)
{
    private const int MostListed = 80;
    private const int SequenceShift = 16;
    private const int TwinAfter = 3;

    // No clock is that far ahead; it leaves room to count on.
    private const ulong LargestSequence = ulong.MaxValue / 2;
    private readonly (ServerId Server, ulong Sequence)[] _listed = new (ServerId, ulong)[MostListed];
    private ServerReport? _own;
    private ulong _sequence;
    private long _nextReport;
    private long _twinSince;
    private long _twinSeen;
    private int _twinReports;
    private ulong _twinSequence;

    /// <summary>When <see cref="Publish"/> is wanted at the latest.</summary>
    public long Deadline => state.IsReportStale ? _nextReport : long.MaxValue;

    /// <summary>Makes this server's own report anew if it says something else than the last one.</summary>
    public void Publish(long now)
    {
        if (state.HasTwin && now - _twinSeen > CablingState.Nanos(state.Options.Forget))
        {
            (state.HasTwin, state.IsLookStale) = (false, true);
        }

        if (!state.IsReportStale || now < _nextReport)
        {
            return;
        }

        state.IsReportStale = false;
        ServerReport report = OwnReport(_sequence);
        if (report.SaysAs(_own))
        {
            return;
        }

        _sequence = Math.Max(_sequence + 1, (ulong)state.BootMillis << SequenceShift);
        _own = OwnReport(_sequence);
        state.Book.TryTake(_own, ListeningPorts(-1));
        state.IsLookStale = true;
        _nextReport = now + CablingState.Nanos(state.Options.ReportSpacing);
    }

    /// <summary>A report came.</summary>
    public void TakeReport(int port, ref ControlReader reader, long now)
    {
        // Most come again over other links: those are not worth reading.
        ControlReader ahead = reader;
        ServerId about = ahead.Id();
        ahead.UInt64();
        ulong sequence = ahead.UInt64();
        if (
            sequence > LargestSequence
            || (!ahead.Failed && state.Book.Knows(about, sequence))
            || ServerReport.TryRead(ref reader) is not { } report
        )
        {
            return;
        }

        if (report.Server == state.Setup.Server)
        {
            TakeOwn(report, now);
        }
        else
        {
            state.Book.TryTake(report, ListeningPorts(port));
        }
    }

    /// <summary>A list of what the other end knows came.</summary>
    public void TakeKnown(int port, ref ControlReader reader)
    {
        ServerId from = reader.Id(),
            to = reader.Id();
        int count = reader.UInt16();
        if (count > MostListed)
        {
            return;
        }

        for (int i = 0; i < count; i++)
        {
            _listed[i] = (reader.Id(), reader.UInt64());
        }

        if (!reader.Failed)
        {
            state.Book.Compare(from, to, _listed.AsSpan(0, count), port);
        }
    }

    /// <summary>A hello came: if its sum differs, the other end is sent a list. True if it is now.</summary>
    public bool Compare(int port, Hello hello, long now)
    {
        PortState at = state.Ports[port];
        if (
            (hello.Digest == state.Book.Digest && hello.KnownReports == state.Book.Reachable.Count)
            || at.KnownFrom is not null
            || (state.Book.PendingPorts & (1 << port)) != 0
            || now - at.LastKnownList < CablingState.Nanos(state.Options.RepairSpacing)
        )
        {
            return false;
        }

        (at.KnownFrom, at.LastKnownList) = (default(ServerId), now);
        return true;
    }

    /// <summary>Sends what waits for a port. False: some of it still does.</summary>
    public bool Send(PortState port, in ControlHeader header, ICablingSender sender, byte[] frame)
    {
        int number = port.Port.Number,
            budget = state.Options.SendBudget;
        while (port.KnownFrom is { } from && budget > 0)
        {
            int length = WriteKnown(frame, header with { Kind = ControlKind.Known }, from, out ServerId? next);
            if (!sender.TrySend(number, frame.AsSpan(0, length)))
            {
                return false;
            }

            port.KnownFrom = next;
            budget--;
        }

        return port.KnownFrom is null
            && (
                (state.Book.PendingPorts & (1 << number)) == 0
                || SendReports(number, header with { Kind = ControlKind.Report }, budget, sender, frame)
            );
    }

    private bool SendReports(int number, ControlHeader header, int budget, ICablingSender sender, byte[] frame) =>
        state.Book.Send(
            number,
            budget,
            report =>
            {
                ControlWriter writer = ControlHeader.Begin(frame, header);
                writer.Bytes(report.Bytes);
                return sender.TrySend(number, frame.AsSpan(0, ControlHeader.End(writer)));
            }
        );

    /// <summary>Another run of this server is remembered, or another process has its identity: this one speaks
    /// louder.</summary>
    private void TakeOwn(ServerReport report, long now)
    {
        bool isOurs = report.Nonce == state.Setup.BootNonce;
        if (report.Sequence < _sequence || (report.Sequence == _sequence && isOurs))
        {
            return;
        }

        (_sequence, _own, state.IsReportStale) = (report.Sequence, null, true);
        if (isOurs)
        {
            // Bent on the way, or made up.
            return;
        }

        if (report.Sequence <= _twinSequence)
        {
            // Every neighbour remembers the last report of an earlier run, and says it once. Who lives goes on
            // counting.
            return;
        }

        _twinSequence = report.Sequence;
        if (now - _twinSince > CablingState.Nanos(state.Options.Forget))
        {
            (_twinSince, _twinReports) = (now, 0);
        }

        _twinReports++;
        _twinSeen = now;
        state.IsLookStale |= !state.HasTwin;
        state.HasTwin = _twinReports >= TwinAfter;
    }

    private int WriteKnown(Span<byte> buffer, in ControlHeader header, ServerId from, out ServerId? next)
    {
        ControlWriter writer = ControlHeader.Begin(buffer, header);
        IReadOnlyList<ServerReport> reports = state.Book.Reachable;
        int first = 0;
        while (first < reports.Count && reports[first].Server.CompareTo(from) < 0)
        {
            first++;
        }

        int count = Math.Min(MostListed, reports.Count - first);
        bool isLast = first + count == reports.Count;
        ServerId to = isLast ? new ServerId(ulong.MaxValue) : reports[first + count - 1].Server;
        next = isLast ? null : new ServerId(to.Value + 1);
        writer.UInt64(from.Value);
        writer.UInt64(to.Value);
        writer.UInt16(count);
        for (int i = 0; i < count; i++)
        {
            writer.UInt64(reports[first + i].Server.Value);
            writer.UInt64(reports[first + i].Sequence);
        }

        return ControlHeader.End(writer);
    }

    private ServerReport OwnReport(ulong sequence)
    {
        var ports = new PortReport[state.Ports.Length];
        for (int i = 0; i < ports.Length; i++)
        {
            ports[i] = state.Ports[i].Report(state.Setup.Server, state.Setup.BootNonce);
        }

        return new ServerReport
        {
            Server = state.Setup.Server,
            Nonce = state.Setup.BootNonce,
            Sequence = sequence,
            BootMillis = state.BootMillis,
            Coordinate = state.NamedPlace,
            IsFixed = state.Setup.Coordinate is not null,
            IsRefusing = state.Refusal is not null,
            Map = state.Map?.Epoch,
            Ports = ports,
        }.Encoded();
    }

    /// <summary>The ports that reports are sent on.</summary>
    private byte ListeningPorts(int except)
    {
        int ports = 0;
        for (int i = 0; i < Math.Min(state.Ports.Length, Links.Cables); i++)
        {
            if (i != except && state.Ports[i] is { HearsServer: true, Link: not null })
            {
                ports |= 1 << i;
            }
        }

        return (byte)ports;
    }
}
