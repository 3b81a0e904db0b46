using System.Text.RegularExpressions;

namespace CamCube;

/// <summary>
/// A command of a service: its name, its arguments as a type, and what it does. Whatever it throws is told to who
/// asked, counted and logged, and is no fault of the service. Immutable; any thread may read it.
/// </summary>
public sealed partial class ServiceCommand
{
    // Paths of the host beside those of commands.
    private static readonly string[] Reserved = ["start", "stop", "commands"];
    private readonly ArgumentForm _form;
    private readonly Func<object, CommandContext, ValueTask<object?>> _run;

    private ServiceCommand(
        string name,
        string description,
        bool changes,
        bool takesBody,
        ArgumentForm form,
        Func<object, CommandContext, ValueTask<object?>> run
    )
    {
        if (!NamePattern().IsMatch(name) || Reserved.Contains(name))
        {
            throw new ArgumentException(
                $"'{name}' is no name of a command: lower-case letters, digits and hyphens, "
                    + $"and none of {string.Join(", ", Reserved)}.",
                nameof(name)
            );
        }

        ArgumentException.ThrowIfNullOrWhiteSpace(description);
        (Name, Description, Changes, TakesBody, _form, _run) = (name, description, changes, takesBody, form, run);
    }

    /// <summary>Lower-case name.</summary>
    public string Name { get; }

    /// <summary>One line: what it does.</summary>
    public string Description { get; }

    /// <summary>Whether it changes something, or costs others something: on a real server it then needs
    /// <c>CamCube:AllowControl</c>.</summary>
    public bool Changes { get; }

    /// <summary>Whether bytes may be sent with it.</summary>
    public bool TakesBody { get; }

    /// <summary>Its arguments, in order.</summary>
    public IReadOnlyList<CommandArgument> Arguments => _form.Arguments;

    /// <summary>
    /// A command with arguments. Parameters of the constructor of <typeparamref name="TArguments"/> and its settable
    /// properties are the arguments, by their names in camelCase: one without a default is required; attributes of
    /// System.ComponentModel (<c>Description</c>) and System.ComponentModel.DataAnnotations (<c>Range</c>,
    /// <c>MaxLength</c>) say more of it. Types: numbers, bool, string, enum, TimeSpan (<c>200ms</c>), long (also
    /// <c>64MiB</c>), Coordinate, Link, LinkSet, TorusShape, IPAddress, and arrays of these (with <c>;</c> between).
    /// </summary>
    /// <param name="name">Lower-case letters, digits and hyphens.</param>
    /// <param name="description">One line: what it does.</param>
    /// <param name="run">
    /// Does it, on the loop. Its result becomes JSON, but for bytes, and a <see cref="CommandResult"/>, which is taken
    /// as it is.
    /// </param>
    /// <param name="changes">Whether it changes something: <see cref="Changes"/>.</param>
    /// <param name="takesBody">Whether bytes may be sent with it: <see cref="CommandContext.Body"/>.</param>
    /// <exception cref="ArgumentException">The name or an argument is none that can be; one line in words.</exception>
    public static ServiceCommand Of<TArguments, TResult>(
        string name,
        string description,
        Func<TArguments, CommandContext, ValueTask<TResult>> run,
        bool changes = false,
        bool takesBody = false
    )
        where TArguments : notnull
    {
        ArgumentNullException.ThrowIfNull(run);
        return new ServiceCommand(
            name,
            description,
            changes,
            takesBody,
            ArgumentForm.Of(typeof(TArguments)),
            async (a, c) => await run((TArguments)a, c)
        );
    }

    /// <summary>A command without arguments; the rest as of the other <c>Of</c>.</summary>
    public static ServiceCommand Of<TResult>(
        string name,
        string description,
        Func<CommandContext, ValueTask<TResult>> run,
        bool changes = false,
        bool takesBody = false
    )
    {
        ArgumentNullException.ThrowIfNull(run);
        return new ServiceCommand(
            name,
            description,
            changes,
            takesBody,
            ArgumentForm.None,
            async (_, c) => await run(c)
        );
    }

    /// <summary>Reads the arguments and runs it. Loop only: hosts do so through the gate, tests of a service may do so
    /// themselves.</summary>
    /// <param name="call">Arguments and body; its names are not looked at.</param>
    /// <param name="cancel">Ends when nobody waits for the result any more.</param>
    /// <returns>The result; <see cref="CommandStatus.Refused"/> with all mistakes if there are any. What the command
    /// throws comes out as it is.</returns>
    public async ValueTask<CommandResult> RunAsync(CommandCall call, CancellationToken cancel = default)
    {
        ArgumentNullException.ThrowIfNull(call);
        var mistakes = new ArgumentMistakes(Name);
        object arguments = _form.Read(call.Arguments, mistakes);
        if (call.Body.Length > 0 && !TakesBody)
        {
            mistakes.Add($"{Name} takes no body; {call.Body.Length:N0} bytes came with it.");
        }

        return mistakes.Any
            ? CommandResult.Refused(mistakes.Text)
            : CommandResult.OfAny(await _run(arguments, new CommandContext(call, cancel)));
    }

    [GeneratedRegex(@"\A[a-z][a-z0-9-]*\z")]
    private static partial Regex NamePattern();
}
