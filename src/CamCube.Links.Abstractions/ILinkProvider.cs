namespace CamCube;

/// <summary>
/// Makes the links of the one server of this process: a way to move frames, chosen by <c>CamCube:Shim</c>. Found by
/// <see cref="Name"/> among the built-in providers and those of plug-in assemblies; one instance per process.
/// </summary>
public interface ILinkProvider
{
    /// <summary>The name in <c>CamCube:Shim</c>.</summary>
    string Name { get; }

    /// <summary>Whether its links find out by their cabling which server this is, so that <c>CamCube:Coordinate</c> may
    /// be left out (<see cref="LinkDriver.TryPlace"/>). Default: no.</summary>
    bool FindsCoordinate => false;

    /// <summary>Names of the settings it reads below <c>CamCube:{Name}</c>, with what they do, for <c>--help</c> and
    /// for the message about a name that does not exist. Null: any name may stand there, and the provider says itself
    /// what is wrong.</summary>
    IReadOnlyList<LinkSetting>? Settings => null;

    /// <summary>Opens the links.</summary>
    /// <param name="request">Which server wants them, and its settings.</param>
    /// <exception cref="LinkProviderException">They cannot be opened; the message is one line for people.</exception>
    LinkDriver Open(LinkProviderRequest request);
}
