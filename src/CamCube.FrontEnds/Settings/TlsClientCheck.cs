namespace CamCube.FrontEnds.Settings;

/// <summary>Which certificates clients of TLS have to show.</summary>
public enum TlsClientCheck
{
    /// <summary>None: they are not asked.</summary>
    None,

    /// <summary>One, or none: a wrong one is refused.</summary>
    IfGiven,

    /// <summary>One that an authority of the front end has issued.</summary>
    Required,
}
