namespace CamCube.Tool.Checks;

/// <summary>What an instruction names, if another assembly has defined it.</summary>
/// <param name="Type">Full name of the type as documentation ids have it.</param>
/// <param name="Name">The member's own name; empty: the type itself.</param>
/// <param name="Id">The member's documentation id without "M:", "F:" or "T:"; null: the type itself.</param>
internal readonly record struct UsedName(string Type, string Name, string? Id)
{
    /// <summary>Type and member, for people.</summary>
    public string Shown => Name.Length == 0 ? Type : $"{Type}.{Name}";
}
