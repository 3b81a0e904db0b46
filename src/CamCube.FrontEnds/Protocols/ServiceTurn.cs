using CamCube.FrontEnds.Buffers;

namespace CamCube.FrontEnds.Protocols;

/// <summary>A turn with the service that connections are served with.</summary>
/// <typeparam name="TService">The service.</typeparam>
public sealed class ServiceTurn<TService> : ConnectionTurn
    where TService : class
{
    internal ServiceTurn(bool isInLoop, bool isWhole, int mostAnswers, ReplyBuffer output)
        : base(isInLoop, mostAnswers, output) => IsWhole = isWhole;

    /// <summary>
    /// The instance that is running now, or all parts of it as one; null while there is none, and on pool threads,
    /// where it is reached through the gate only.
    /// </summary>
    public TService? Service { get; internal set; }

    /// <summary>Whether <see cref="Service"/> is this server's instance itself, and no sum of parts, each of which
    /// takes a lock.</summary>
    public bool IsWhole { get; }

    /// <summary>From now on what is thrown is the service's failure, until <see cref="Leave"/>.</summary>
    /// <returns>The service, as <see cref="Service"/>.</returns>
    public TService? Enter()
    {
        IsInService = true;
        return Service;
    }

    /// <summary>The call into the service is over.</summary>
    public void Leave() => IsInService = false;
}
