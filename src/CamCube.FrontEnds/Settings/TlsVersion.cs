namespace CamCube.FrontEnds.Settings;

/// <summary>Versions of TLS that are spoken. Older ones are not: RFC 8996 forbids them.</summary>
public enum TlsVersion
{
    /// <summary>TLS 1.2.</summary>
    Tls12,

    /// <summary>TLS 1.3.</summary>
    Tls13,
}
