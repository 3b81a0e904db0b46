namespace CamCube.Services.Cache.Store;

/// <summary>
/// CAS tokens: (run in microseconds + number of the change) in the upper 48 bits, rank of the server in the lower 16.
/// So no token of one server is ever one of another's, nor one of an earlier run's (for 8.9 years, as long as a server
/// makes less than a change per microsecond on average). Never 0.
/// </summary>
internal sealed class CasTokens(ulong run, int rank)
{
    private ulong _changes;

    public ulong Next()
    {
        ulong token = ((run + ++_changes) << 16) | (ushort)rank;
        return token == 0 ? Next() : token;
    }
}
