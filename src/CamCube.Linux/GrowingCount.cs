namespace CamCube.Linux;

/// <summary>What is new of a count of the system's that only grows and begins again after 2^32. One thread.</summary>
public struct GrowingCount
{
    private uint _last;

    /// <summary>How much the count has grown since the last answer.</summary>
    /// <param name="count">The count now; null: the system did not say. A smaller one was set back, and nothing is
    /// new.</param>
    public uint Take(uint? count)
    {
        if (count is not { } now)
        {
            return 0;
        }

        uint more = now - _last;
        _last = now;
        return more <= int.MaxValue ? more : 0;
    }
}
