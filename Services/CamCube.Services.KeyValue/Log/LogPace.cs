namespace CamCube.Services.KeyValue.Log;

/// <summary>Makes long work short: after each slice it lets the loop go on, and no more is done in a second than is
/// said. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="slice">Bytes of a slice.</param>
internal sealed class LogPace(IServer server, int slice)
{
    private long _done;

    /// <summary>Some bytes are done.</summary>
    /// <param name="bytes">How many.</param>
    /// <param name="bytesPerSecond">The rate.</param>
    /// <returns>False: the service stops.</returns>
    public async ValueTask<bool> Pass(long bytes, double bytesPerSecond)
    {
        _done += bytes;
        if (_done < slice)
        {
            return true;
        }

        TimeSpan pause = TimeSpan.FromSeconds(_done / bytesPerSecond);
        _done = 0;
        return await server.DelayAsync(pause).ConfigureAwait(true);
    }
}
