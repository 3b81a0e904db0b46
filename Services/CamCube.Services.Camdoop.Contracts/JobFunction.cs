namespace CamCube.Services.Camdoop;

/// <summary>One function of a job. Immutable.</summary>
/// <param name="Kind">What it is.</param>
public sealed record JobFunction(JobFunctionKind Kind)
{
    /// <summary>Gives what it gets.</summary>
    public static JobFunction Identity { get; } = new(JobFunctionKind.Identity);

    /// <summary>Of a program: what is started, its name first. A name without a slash is looked for in the working
    /// folder and then in PATH.</summary>
    public IReadOnlyList<string> Command { get; init; } = [];

    /// <summary>Of a function in C#: the name of its type, with its namespace, as in <c>Shop.WordMapper</c>; a nested
    /// one's is behind a plus.</summary>
    public string Name { get; init; } = "";

    /// <summary>A program.</summary>
    public static JobFunction Program(params IReadOnlyList<string> command) =>
        new(JobFunctionKind.Program) { Command = command };

    /// <summary>A function in C#, of the job's <see cref="JobDescription.Assembly"/>.</summary>
    public static JobFunction Type(string name) => new(JobFunctionKind.Function) { Name = name };
}
