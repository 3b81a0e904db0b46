namespace CamCube.Services.KeyValue.Log;

/// <summary>Counts for the owner of a log which bytes of each segment it needs. Loop only.</summary>
internal sealed class LogUsage
{
    private readonly Dictionary<uint, long> _bytes = [];

    /// <summary>Bytes that are needed in all segments.</summary>
    public long Total { get; private set; }

    /// <summary>Bytes that are needed in one segment.</summary>
    public long Of(uint segment) => _bytes.GetValueOrDefault(segment);

    /// <summary>A record is needed from now on.</summary>
    public void Add(LogLocation location) => Count(location.Segment, location.Length);

    /// <summary>So many bytes of a segment's records are needed from now on.</summary>
    public void Add(uint segment, long bytes) => Count(segment, bytes);

    /// <summary>A record is needed no more.</summary>
    public void Remove(LogLocation location) => Count(location.Segment, -location.Length);

    /// <summary>Nothing is needed.</summary>
    public void Clear()
    {
        _bytes.Clear();
        Total = 0;
    }

    private void Count(uint segment, long bytes)
    {
        long now = _bytes.GetValueOrDefault(segment) + bytes;
        Total += bytes;
        if (now == 0)
        {
            _bytes.Remove(segment);
        }
        else
        {
            _bytes[segment] = now;
        }
    }
}
