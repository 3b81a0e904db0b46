namespace CamCube.Services.KeyValue.Log;

/// <summary>Makes long work short: after each slice it lets the loop go on, and no more is done in a second than is
/// said. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="slice">Bytes of a slice.</param>
internal sealed class LogPace(IServer server, int slice)
{
    // Of filters: some 50 ns each, if they are not in the processor's memory.
    private const int MostWork = 10_000;
    private long _done;
    private long _work;

    /// <summary>Some bytes are done.</summary>
    /// <returns>Whether a slice is over: <see cref="Pause"/>.</returns>
    public bool IsDue(long bytes)
    {
        _done += bytes;
        return _done >= slice || _work >= MostWork;
    }

    /// <summary>Something was done that takes the loop's time and none of the disk's: so many small pieces of
    /// it.</summary>
    public void Worked(int pieces) => _work += pieces;

    /// <summary>Lets the loop go on.</summary>
    /// <param name="bytesPerSecond">The rate.</param>
    /// <returns>False: the service stops.</returns>
    public ValueTask<bool> Pause(double bytesPerSecond)
    {
        var pause = TimeSpan.FromSeconds(_done / bytesPerSecond);
        (_done, _work) = (0, 0);
        return server.DelayAsync(pause);
    }
}
