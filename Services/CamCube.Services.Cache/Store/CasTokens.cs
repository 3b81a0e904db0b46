namespace CamCube.Services.Cache.Store;

/// <summary>
/// CAS tokens: (run in microseconds + number of the change) in the upper 48 bits, rank of the server in the lower 16.
/// So no token of one server is ever one of another's, nor one of an earlier run's (for 8.9 years, as long as a server
/// makes less than a change per microsecond on average). Never 0, unless there are to be none.
/// </summary>
/// <param name="run">When this run began, in microseconds.</param>
/// <param name="rank">The server's.</param>
/// <param name="areUsed">False: all are 0.</param>
internal sealed class CasTokens(ulong run, int rank, bool areUsed = true)
{
    private ulong _changes;

    public ulong Next()
    {
        if (!areUsed)
        {
            return 0;
        }

        ulong token = ((run + ++_changes) << 16) | (ushort)rank;
        return token == 0 ? Next() : token;
    }
}
