namespace CamCube.Loads.Etcd;

/// <summary>etcd refused something.</summary>
/// <param name="code">The status of gRPC: 14 is that nobody leads.</param>
/// <param name="message">Why.</param>
public sealed class EtcdException(string code, string message) : IOException(message)
{
    /// <summary>The status of gRPC.</summary>
    public string Code => code;
}
