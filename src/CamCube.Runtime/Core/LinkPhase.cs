namespace CamCube.Runtime.Core;

/// <summary>How far two neighbours have got with the link between them, in the eyes of one.</summary>
internal enum LinkPhase : byte
{
    /// <summary>At least one of them does not hear the other.</summary>
    Down = 0,

    /// <summary>
    /// Both hear each other; the neighbour's entries are not all here yet. Floods pass, services' packets do not.
    /// </summary>
    Exchange = 1,

    /// <summary>Usable: this server reports the link as up.</summary>
    Up = 2,
}
