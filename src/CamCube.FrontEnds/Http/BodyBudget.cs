namespace CamCube.FrontEnds.Http;

/// <summary>Bytes that the bodies of one kind of front end may take. Any thread.</summary>
/// <param name="limit">All of them.</param>
internal sealed class BodyBudget(long limit)
{
    private long _taken;

    /// <summary>Bytes that are taken now.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Takes bytes, if there are so many.</summary>
    public bool TryTake(long bytes)
    {
        if (Interlocked.Add(ref _taken, bytes) <= limit)
        {
            return true;
        }

        Give(bytes);
        return false;
    }

    /// <summary>Gives back what was taken.</summary>
    public void Give(long bytes) => Interlocked.Add(ref _taken, -bytes);
}
