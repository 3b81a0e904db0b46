using System.Reflection;
using System.Runtime.CompilerServices;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Assemblies;

/// <summary>Loads a job's assembly, and has its functions compiled. Off the loop.</summary>
internal static class FunctionLoader
{
    private const BindingFlags All =
        BindingFlags.Public
        | BindingFlags.NonPublic
        | BindingFlags.Instance
        | BindingFlags.Static
        | BindingFlags.DeclaredOnly;

    /// <summary>Loads it.</summary>
    /// <param name="context">Where to.</param>
    /// <param name="image">The assembly.</param>
    /// <param name="job">What the job wants of it.</param>
    /// <returns>Its functions.</returns>
    /// <exception cref="JobFunctionException">It cannot be, in words.</exception>
    public static JobFunctions Load(JobContext context, byte[] image, JobDescription job)
    {
        string name = FilePath.NameOf(job.Assembly);
        Assembly assembly;
        try
        {
            assembly = context.LoadFromStream(new MemoryStream(image, writable: false));
        }
        catch (Exception e) when (e is BadImageFormatException or FileLoadException)
        {
            throw new JobFunctionException($"{name} is not a .NET assembly that can be loaded");
        }

        CheckVersion(assembly, name);
        try
        {
            var functions = new JobFunctions(new FunctionTerms(JobFunctions.EnvironmentOf(job), job.Reduces))
            {
                Mapper = TypeOf<IMapper>(assembly, name, NameOf(job.Map)),
                Combiner = TypeOf<ICombiner>(assembly, name, NameOf(job.Combine)),
                Reducer = TypeOf<IReducer>(assembly, name, NameOf(job.Reduce)),
                Partitioner = TypeOf<IPartitioner>(assembly, name, job.Partitioner),
            };
            Prepare<IMapper>(functions, functions.Mapper);
            Prepare<ICombiner>(functions, functions.Combiner);
            Prepare<IReducer>(functions, functions.Reducer);
            Prepare<IPartitioner>(functions, functions.Partitioner);
            return functions;
        }
        catch (Exception e) when (e is FileNotFoundException or FileLoadException)
        {
            string? missing = (e as FileNotFoundException)?.FileName ?? (e as FileLoadException)?.FileName;
            throw new JobFunctionException(
                $"{name} needs {missing}, which is neither part of the host nor one of the job's files"
            );
        }
        catch (Exception e) when (e is not JobFunctionException)
        {
            throw new JobFunctionException($"{name} does not fit this cube: {JobFunctions.Describe(e)}");
        }
    }

    private static string NameOf(JobFunction? function) =>
        function is { Kind: JobFunctionKind.Function } ? function.Name : "";

    // A newer one may name what is not there, and of another first number nothing need be as it was.
    private static void CheckVersion(Assembly assembly, string name)
    {
        AssemblyName own = JobContext.Contracts;
        AssemblyName? wanted = Array.Find(assembly.GetReferencedAssemblies(), a => a.Name == own.Name);
        if (wanted?.Version is { } version && (version.Major != own.Version!.Major || version > own.Version))
        {
            throw new JobFunctionException(
                $"{name} is made for {own.Name} {version}, and this cube has {own.Version}: build it anew"
            );
        }
    }

    private static Type? TypeOf<TContract>(Assembly assembly, string file, string name)
    {
        if (name.Length == 0)
        {
            return null;
        }

        Type? type;
        try
        {
            type = assembly.GetType(name, throwOnError: false);
        }
        catch (ArgumentException)
        {
            type = null;
        }

        string? wrong =
            type is null ? $"{file} has no type {name} (with its namespace; of a nested one A+B)"
            : !typeof(TContract).IsAssignableFrom(type) ? $"{name} of {file} is no {typeof(TContract).Name}"
            : type.IsAbstract || type.ContainsGenericParameters ? $"{name} of {file} is abstract or generic"
            : !type.IsVisible ? $"{name} of {file} is not public"
            : type.GetConstructor([]) is null && type.GetConstructor([typeof(FunctionTerms)]) is null
                ? $"{name} of {file} has no public constructor that takes nothing or {nameof(FunctionTerms)}"
            : null;
        return wrong is null ? type : throw new JobFunctionException(wrong);
    }

    // A vertex does not wait for a compiler while others wait for the vertex.
    private static void Prepare<TContract>(JobFunctions functions, Type? type)
        where TContract : class
    {
        if (type is null)
        {
            return;
        }

        for (Type? one = type; one is not null && one.Assembly == type.Assembly; one = one.BaseType)
        {
            Compile(one);
        }

        // So that one that cannot be made fails before anything else has been done.
        (functions.New<TContract>(type) as IDisposable)?.Dispose();
    }

    private static void Compile(Type type)
    {
        if (type.ContainsGenericParameters)
        {
            return;
        }

        foreach (MethodBase method in type.GetMethods(All).Concat<MethodBase>(type.GetConstructors(All)))
        {
            if (!method.IsAbstract && !method.ContainsGenericParameters && method.GetMethodBody() is not null)
            {
                RuntimeHelpers.PrepareMethod(method.MethodHandle);
            }
        }

        foreach (Type nested in type.GetNestedTypes(All))
        {
            Compile(nested);
        }
    }
}
