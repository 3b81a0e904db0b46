namespace CamCube.Client.Cache.Protocol;

/// <summary>What a server is asked to do. All can be done twice without harm.</summary>
internal enum CommandKind
{
    /// <summary><c>mg</c> with the value.</summary>
    Read,

    /// <summary><c>mg</c> without the value: flags and time left.</summary>
    Look,

    /// <summary><c>mg</c> without the value, and a new time to live.</summary>
    Touch,

    /// <summary><c>ms</c>.</summary>
    Store,

    /// <summary><c>md</c>.</summary>
    Remove,
}
