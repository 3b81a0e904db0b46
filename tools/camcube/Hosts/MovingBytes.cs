namespace CamCube.Tool.Hosts;

/// <summary>Bytes of a long value on their way: each keeps the request from timing out, and is shown.</summary>
/// <param name="shown">Is told how many there were.</param>
internal sealed class MovingBytes(Action<long> shown)
{
    private const int Part = 128 << 10;
    private CancellationTokenSource? _limit;
    private TimeSpan _patience;
    private long _bytes;

    /// <summary>The request begins.</summary>
    public void Begin(CancellationTokenSource limit, TimeSpan patience) => (_limit, _patience) = (limit, patience);

    /// <summary>Copies all.</summary>
    public async Task CopyAsync(Stream from, Stream to, CancellationToken cancel)
    {
        byte[] part = new byte[Part];
        for (int count; (count = await from.ReadAsync(part, cancel)) > 0; )
        {
            await to.WriteAsync(part.AsMemory(0, count), cancel);
            _bytes += count;
            _limit?.CancelAfter(_patience);
            shown(_bytes);
        }
    }
}
