using System.Diagnostics.CodeAnalysis;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>The streams of a connection by their numbers: chains through the streams themselves, so that an idle one
/// costs little. Loop only.</summary>
internal sealed class StreamTable
{
    private StreamBody?[] _heads = [];

    public int Count { get; private set; }

    public bool TryGet(uint id, [NotNullWhen(true)] out StreamBody? stream)
    {
        stream = _heads.Length == 0 ? null : _heads[Slot(id)];
        while (stream is not null && stream.Id != id)
        {
            stream = stream.NextInTable;
        }

        return stream is not null;
    }

    /// <summary>Its number is new here.</summary>
    public void Add(StreamBody stream)
    {
        if (Count >= _heads.Length)
        {
            Grow();
        }

        Link(stream);
        Count++;
    }

    /// <summary>False: it was not in.</summary>
    public bool Remove(StreamBody stream)
    {
        if (_heads.Length == 0)
        {
            return false;
        }

        ref StreamBody? at = ref _heads[Slot(stream.Id)];
        while (at is not null && at != stream)
        {
            at = ref at.NextInTable;
        }

        if (at is null)
        {
            return false;
        }

        (at, stream.NextInTable) = (stream.NextInTable, null);
        Count--;
        return true;
    }

    /// <summary>All, in order of their numbers. Allocates.</summary>
    public StreamBody[] ToArray()
    {
        var all = new List<StreamBody>(Count);
        foreach (StreamBody? head in _heads)
        {
            for (StreamBody? stream = head; stream is not null; stream = stream.NextInTable)
            {
                all.Add(stream);
            }
        }

        return [.. all.OrderBy(s => s.Id)];
    }

    // Even numbers are the opener's, odd ones the acceptor's, and mostly one side opens all.
    private int Slot(uint id) => (int)((id >> 1) & (uint)(_heads.Length - 1));

    private void Link(StreamBody stream)
    {
        ref StreamBody? head = ref _heads[Slot(stream.Id)];
        (stream.NextInTable, head) = (head, stream);
    }

    private void Grow()
    {
        StreamBody[] all = ToArray();
        _heads = new StreamBody?[Math.Max(4, 2 * _heads.Length)];
        foreach (StreamBody stream in all)
        {
            Link(stream);
        }
    }
}
