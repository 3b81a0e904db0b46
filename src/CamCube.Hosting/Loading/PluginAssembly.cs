using System.Reflection;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace CamCube.Hosting.Loading;

/// <summary>A loaded plug-in: its classes, and the means to be rid of it. Not thread-safe.</summary>
internal sealed class PluginAssembly
{
    private readonly string _path;
    private PluginContext? _context;
    private readonly string[] _references;
    private Type[] _types;

    private PluginAssembly(string path, PluginContext context, Type[] types, string[] references) =>
        (_path, _context, _types, _references) = (path, context, types, references);

    /// <summary>What its assembly says of its version, without the source's.</summary>
    public required string Version { get; init; }

    /// <summary>The first 12 hexadecimal digits of the SHA-256 of its file.</summary>
    public required string Hash { get; init; }

    /// <summary>Whether <see cref="Unload"/> frees its memory.</summary>
    public bool IsUnloadable => _context is { IsCollectible: true };

    /// <summary>Where it was loaded from.</summary>
    public string Path => _path;

    /// <summary>Its concrete public classes, in the order of their names; none after <see cref="Unload"/>.</summary>
    public IReadOnlyList<Type> Types => _types;

    /// <summary>Whether its code names types of an assembly.</summary>
    public bool Names(PluginAssembly other) =>
        _references.Contains(System.IO.Path.GetFileNameWithoutExtension(other._path), StringComparer.OrdinalIgnoreCase);

    /// <summary>Loads an assembly into a context of its own. Null: it cannot be; the reason is a sentence for
    /// people.</summary>
    /// <param name="path">Full path of the file.</param>
    /// <param name="contracts">Where contracts live.</param>
    /// <param name="reason">Why not.</param>
    /// <param name="isReload">It comes in the place of another.</param>
    public static PluginAssembly? TryLoad(
        string path,
        ContractContext contracts,
        out string? reason,
        bool isReload = false
    )
    {
        reason = null;
        PluginContext? context = null;
        try
        {
            string hash = Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(path)))[..12];
            context = new PluginContext(path, contracts, isReload);
            Assembly assembly = context.LoadMain(path);
            Type[] types =
            [
                .. assembly
                    .GetExportedTypes()
                    .Where(type => type is { IsClass: true, IsAbstract: false, IsGenericTypeDefinition: false })
                    .OrderBy(type => type.FullName, StringComparer.Ordinal),
            ];
            string[] references = [.. assembly.GetReferencedAssemblies().Select(reference => reference.Name!)];
            return new PluginAssembly(path, context, types, references) { Version = VersionOf(assembly), Hash = hash };
        }
        catch (BadImageFormatException)
        {
            reason = "this is not a .NET assembly";
        }
        catch (Exception e)
            when (e
                    is IOException
                        or UnauthorizedAccessException
                        or TypeLoadException
                        or ReflectionTypeLoadException
                        or InvalidOperationException
            )
        {
            Exception cause = e is ReflectionTypeLoadException { LoaderExceptions: [{ } first, ..] } ? first : e;
            reason = $"it cannot be loaded: {cause.Message.TrimEnd('.')}";
        }

        if (context is not null)
        {
            Drop(context);
        }

        return null;
    }

    private static string VersionOf(Assembly assembly) =>
        (
            assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
            ?? assembly.GetName().Version?.ToString()
            ?? "0"
        ).Split('+')[0];

    /// <summary>Lets go of the assembly. The answer dies when nobody refers to the assembly's types and objects any
    /// more; there is none for an assembly that was compiled ahead, which stays in memory.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public WeakReference? Unload()
    {
        WeakReference? weak = _context is null ? null : Drop(_context);
        (_context, _types) = (null, []);
        return weak;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference? Drop(PluginContext context)
    {
        if (!context.IsCollectible)
        {
            return null;
        }

        context.Unload();
        return new WeakReference(context);
    }
}
