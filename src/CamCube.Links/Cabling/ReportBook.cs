namespace CamCube.Cabling;

/// <summary>
/// The newest report of each server that is known, in the order of their identities. Which of them still count follows
/// from what is heard: a server is reachable if a reachable server hears it. Loop only.
/// </summary>
/// <param name="self">The server whose book this is.</param>
/// <param name="limit">Most reports that are kept.</param>
internal sealed class ReportBook(ServerId self, int limit)
{
    // Many reports come at once while a cube starts; one look at them together is enough.
    private static readonly long LookSpacing = CablingState.Nanos(TimeSpan.FromMilliseconds(10));
    private readonly List<Entry> _entries = [];
    private readonly Queue<int> _queue = new();
    private bool _isStale;
    private long _nextLook = long.MinValue;
    private long _forgetAt = long.MaxValue;

    /// <summary>Changes whenever a report that counts does.</summary>
    public ulong Digest { get; private set; }

    /// <summary>Reports that count, in the order of the identities.</summary>
    public IReadOnlyList<ServerReport> Reachable { get; private set; } = [];

    /// <summary>Reports that were refused because the book was full.</summary>
    public long Refused { get; private set; }

    /// <summary>Whether reports wait to be sent.</summary>
    public byte PendingPorts { get; private set; }

    /// <summary>When <see cref="Refresh"/> is wanted at the latest.</summary>
    public long Deadline => _isStale ? _nextLook : _forgetAt;

    public int Count => _entries.Count;

    public ServerReport? Find(ServerId server) => IndexOf(server) is >= 0 and var index ? _entries[index].Report : null;

    /// <summary>Whether this report of a server, or a newer one, is known.</summary>
    public bool Knows(ServerId server, ulong sequence) =>
        IndexOf(server) is >= 0 and var index && _entries[index].Report.Sequence >= sequence;

    /// <summary>Takes a report if it is newer than the one known, and marks it to be sent on some ports.</summary>
    public bool TryTake(ServerReport report, byte ports)
    {
        int index = IndexOf(report.Server);
        if (index < 0)
        {
            if (_entries.Count >= limit)
            {
                Refused++;
                return false;
            }

            index = ~index;
            _entries.Insert(index, new Entry(report));
        }
        else if (_entries[index].Report.Sequence >= report.Sequence)
        {
            return false;
        }

        _entries[index].Report = report;
        _entries[index].Pending = ports;
        PendingPorts |= ports;
        _isStale = true;
        return true;
    }

    /// <summary>A server with this report and sequence is known at the other end of a port: what is newer here is
    /// marked to be sent.</summary>
    public void Compare(ServerId from, ServerId to, ReadOnlySpan<(ServerId Server, ulong Sequence)> known, int port)
    {
        int at = 0;
        for (int i = IndexOf(from) is >= 0 and var found ? found : ~IndexOf(from); i < _entries.Count; i++)
        {
            Entry entry = _entries[i];
            ServerId server = entry.Report.Server;
            if (server.CompareTo(to) > 0)
            {
                break;
            }

            while (at < known.Length && known[at].Server.CompareTo(server) < 0)
            {
                at++;
            }

            bool isKnown =
                at < known.Length && known[at].Server == server && known[at].Sequence >= entry.Report.Sequence;
            if (!isKnown && entry.IsReachable)
            {
                entry.Pending |= (byte)(1 << port);
                PendingPorts |= (byte)(1 << port);
            }
        }
    }

    /// <summary>Nothing is sent on a port any more.</summary>
    public void Drop(int port)
    {
        foreach (Entry entry in _entries)
        {
            entry.Pending &= (byte)~(1 << port);
        }

        PendingPorts &= (byte)~(1 << port);
    }

    /// <summary>Sends what is marked for a port, as long as the sender takes it.</summary>
    /// <returns>False: the rest waits.</returns>
    public bool Send(int port, int budget, Func<ServerReport, bool> send)
    {
        byte bit = (byte)(1 << port);
        if ((PendingPorts & bit) == 0)
        {
            return true;
        }

        foreach (Entry entry in _entries)
        {
            if ((entry.Pending & bit) != 0)
            {
                if (budget-- == 0 || !send(entry.Report))
                {
                    return false;
                }

                entry.Pending &= (byte)~bit;
            }
        }

        PendingPorts &= (byte)~bit;
        return true;
    }

    /// <summary>Finds out what counts. True if that has changed since the last call.</summary>
    public bool Refresh(long now, long forgetNanos)
    {
        if (now < Deadline)
        {
            return false;
        }

        _isStale = false;
        _nextLook = now + (LookSpacing * (1 + (_entries.Count / 64)));
        Mark();
        _forgetAt = long.MaxValue;
        var reachable = new List<ServerReport>(_entries.Count);
        ulong digest = 0;
        for (int i = _entries.Count - 1; i >= 0; i--)
        {
            Entry entry = _entries[i];
            if (entry.IsReachable)
            {
                entry.UnreachableSince = -1;
                reachable.Add(entry.Report);
                digest += Mix(Mix(entry.Report.Server.Value) ^ entry.Report.Sequence);
                continue;
            }

            if (entry.UnreachableSince < 0)
            {
                entry.UnreachableSince = now;
            }

            if (now - entry.UnreachableSince >= forgetNanos)
            {
                _entries.RemoveAt(i);
            }
            else
            {
                _forgetAt = Math.Min(_forgetAt, entry.UnreachableSince + forgetNanos);
            }
        }

        bool isOther = digest != Digest || reachable.Count != Reachable.Count;
        reachable.Reverse();
        (Digest, Reachable) = (digest, reachable);
        return isOther;
    }

    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EBUL;
        return z ^ (z >> 31);
    }

    private void Mark()
    {
        foreach (Entry entry in _entries)
        {
            entry.IsReachable = false;
        }

        Reach(self);
        while (_queue.TryDequeue(out int index))
        {
            foreach (PortReport port in _entries[index].Report.Ports)
            {
                if (port.HearsServer)
                {
                    Reach(port.Peer);
                }
            }
        }
    }

    private void Reach(ServerId server)
    {
        int index = IndexOf(server);
        if (index >= 0 && !_entries[index].IsReachable)
        {
            _entries[index].IsReachable = true;
            _queue.Enqueue(index);
        }
    }

    private int IndexOf(ServerId server)
    {
        int low = 0,
            high = _entries.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2,
                order = _entries[middle].Report.Server.CompareTo(server);
            if (order == 0)
            {
                return middle;
            }

            (low, high) = order < 0 ? (middle + 1, high) : (low, middle - 1);
        }

        return ~low;
    }

    private sealed class Entry(ServerReport report)
    {
        public ServerReport Report = report;
        public byte Pending;
        public bool IsReachable;
        public long UnreachableSince = -1;
    }
}
