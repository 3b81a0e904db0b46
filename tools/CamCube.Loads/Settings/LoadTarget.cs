namespace CamCube.Loads.Settings;

/// <summary>What a load speaks.</summary>
public enum LoadTarget
{
    /// <summary>Redis' protocol.</summary>
    Redis,

    /// <summary>etcd's gRPC.</summary>
    Etcd,

    /// <summary>HTTP, as the store's front end.</summary>
    Http,
}
