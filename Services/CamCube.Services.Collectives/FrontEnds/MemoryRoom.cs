namespace CamCube.Services.Collectives.FrontEnds;

/// <summary>Bytes that the clients of a server have together. Any thread.</summary>
/// <param name="most">How many at most.</param>
internal sealed class MemoryRoom(long most)
{
    private long _used;

    /// <summary>Bytes in use.</summary>
    public long Used => Interlocked.Read(ref _used);

    /// <summary>Takes some. False: there are not so many.</summary>
    public bool TryTake(long bytes)
    {
        if (bytes <= most && Interlocked.Add(ref _used, bytes) <= most)
        {
            return true;
        }

        Return(bytes <= most ? bytes : 0);
        return false;
    }

    /// <summary>Gives some back.</summary>
    public void Return(long bytes) => Interlocked.Add(ref _used, -bytes);
}
