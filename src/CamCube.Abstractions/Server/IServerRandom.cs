namespace CamCube;

/// <summary>The randomness of a service on its server (<see cref="IServer.Random"/>). Loop only.</summary>
public interface IServerRandom
{
    /// <summary>A random stream of (cluster seed, server, service, purpose): others' streams do not change
    /// it.</summary>
    Random Create(string purpose);

    /// <summary>Fills this with bytes that nobody can guess: the system's random numbers, other ones at every start. In
    /// virtual time they follow from the seed like those of <see cref="Create"/>, which are no secret anywhere:
    /// who knows the settings knows them.</summary>
    void FillSecret(Span<byte> bytes);
}
