namespace CamCube;

/// <summary>
/// Makes the links of the one server of this process: a way to move frames, chosen by <c>CamCube:Shim</c>. Found by
/// <see cref="Name"/> among the built-in providers and those of plug-in assemblies; one instance per process.
/// </summary>
public interface ILinkProvider
{
    /// <summary>The name in <c>CamCube:Shim</c>.</summary>
    string Name { get; }

    /// <summary>Opens the links.</summary>
    /// <param name="request">Which server wants them, and its settings.</param>
    /// <exception cref="LinkProviderException">They cannot be opened; the message is one line for people.</exception>
    LinkDriver Open(LinkProviderRequest request);
}
