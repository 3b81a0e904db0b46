using System.Reflection;

namespace CamCube.Services.Camdoop.Assemblies;

/// <summary>The types that a job's functions are, of one server. Immutable; any thread, instances are made off the
/// loop.</summary>
/// <param name="terms">What functions may know of the job.</param>
internal sealed class JobFunctions(FunctionTerms terms)
{
    /// <summary>The mapper; null: it is none in C#.</summary>
    public Type? Mapper { get; init; }

    /// <summary>The combiner.</summary>
    public Type? Combiner { get; init; }

    /// <summary>The reducer.</summary>
    public Type? Reducer { get; init; }

    /// <summary>What says which reduce a pair goes to.</summary>
    public Type? Partitioner { get; init; }

    /// <summary>The job's environment by name.</summary>
    public static Dictionary<string, string> EnvironmentOf(JobDescription job)
    {
        Dictionary<string, string> all = new(StringComparer.Ordinal);
        foreach (string one in job.Environment)
        {
            int at = one.IndexOf('=');
            all[one[..at]] = one[(at + 1)..];
        }

        return all;
    }

    /// <summary>A new instance of one of the types.</summary>
    /// <exception cref="JobFunctionException">It cannot be made.</exception>
    public T New<T>(Type? type)
        where T : class
    {
        ConstructorInfo? withTerms = type!.GetConstructor([typeof(FunctionTerms)]);
        try
        {
            return (T)(withTerms is null ? Activator.CreateInstance(type)! : withTerms.Invoke([terms]));
        }
        catch (TargetInvocationException e)
        {
            throw new JobFunctionException($"the constructor of {type} failed: {Describe(e.InnerException ?? e)}");
        }
        catch (Exception e) when (e is not JobFunctionException)
        {
            throw new JobFunctionException($"{type} cannot be made: {Describe(e)}");
        }
    }

    /// <summary>What foreign code threw, for people: its type and what it says.</summary>
    public static string Describe(Exception error)
    {
        const int most = 1_000;
        string message;
        try
        {
            message = error.Message ?? "";
        }
        catch (Exception)
        {
            // It may say what it likes, and throw at that.
            message = "";
        }

        message = message.Length > most ? message[..most] : message;
        string tidy = string.Concat(message.Select(static c => char.IsControl(c) ? ' ' : c));
        return $"{error.GetType()}: {tidy}";
    }
}
