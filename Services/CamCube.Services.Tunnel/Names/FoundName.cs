namespace CamCube.Services.Tunnel.Names;

/// <summary>What a name is.</summary>
internal enum FoundName
{
    /// <summary>None of those that are known here: somebody else is to be asked.</summary>
    Elsewhere = 0,

    /// <summary>One of ours that nobody has.</summary>
    Nobody = 1,

    /// <summary>The domain itself.</summary>
    Domain = 2,

    /// <summary>The resolver.</summary>
    Resolver = 3,

    /// <summary>A server.</summary>
    Server = 4,

    /// <summary>The address of a server, as a name.</summary>
    ServerAddress = 5,

    /// <summary>The address of the resolver, as a name.</summary>
    ResolverAddress = 6,
}
