namespace CamCube.Services.Distribution;

/// <summary>Which names files may have that are distributed: what every disk can have, but for endings that the service
/// keeps for itself.</summary>
public static class FileName
{
    /// <summary>Of a file that is not whole yet.</summary>
    public const string Part = ".part";

    /// <summary>Of a file that is being brought here from outside.</summary>
    public const string Upload = ".upload";

    /// <summary>Of what a source keeps of a job, to go on after it was started again.</summary>
    public const string Source = ".source";

    /// <summary>Of what is kept beside a file that is coded while its job is known.</summary>
    public const string Parity = ".parity";

    /// <summary>Most characters.</summary>
    public static int MostLength => DiskNames.MaxLength - Upload.Length;

    /// <summary>What is wrong with a name, as the end of a sentence; null: nothing.</summary>
    public static string? WrongOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        bool isReserved =
            name.EndsWith(Part, StringComparison.OrdinalIgnoreCase)
            || name.EndsWith(Upload, StringComparison.OrdinalIgnoreCase)
            || name.EndsWith(Parity, StringComparison.OrdinalIgnoreCase)
            || name.EndsWith(Source, StringComparison.OrdinalIgnoreCase);
        return name.Length > MostLength || !DiskNames.IsValid(name)
                ? $"is no name of a file here: 1 to {MostLength} of A-Z a-z 0-9 . _ - and no dot in front"
            : isReserved ? $"ends with {Part}, {Upload}, {Parity} or {Source}, which are the service's own"
            : null;
    }
}
