namespace CamCube.Tool.Checks;

/// <summary>What an instruction does with a variable.</summary>
internal enum VariableUse
{
    /// <summary>Loads what is in it.</summary>
    Load,

    /// <summary>Puts something there.</summary>
    Store,

    /// <summary>Loads its address.</summary>
    Address,
}
