using System.Reflection;
using System.Runtime.Loader;

namespace CamCube.Tool.Checks;

/// <summary>Reads the headers of the services of an assembly. It is loaded, because only the runtime knows how structs
/// are laid out, but none of its code runs.</summary>
internal static class HeaderReader
{
    /// <summary>The services of an assembly with their headers, by id.</summary>
    /// <exception cref="BadAssemblyException">It cannot be read, or a header cannot be shown.</exception>
    public static IReadOnlyList<ServiceHeader> Read(string path)
    {
        var context = new AssemblyLoadContext("headers", isCollectible: true);
        context.Resolving += (loader, name) => Beside(loader, path, name);
        try
        {
            return
            [
                .. TypesOf(context.LoadFromAssemblyPath(path), path)
                    .Select(HeaderOf)
                    .OfType<ServiceHeader>()
                    .OrderBy(header => header.Id),
            ];
        }
        catch (Exception e)
            when (e is BadImageFormatException or IOException or TypeLoadException or CustomAttributeFormatException)
        {
            throw new BadAssemblyException($"{path} cannot be read: {FirstLine(e.Message)}");
        }
        finally
        {
            context.Unload();
        }
    }

    // The libraries that a host brings are the tool's own; all others lie beside the service.
    private static Assembly? Beside(AssemblyLoadContext context, string path, AssemblyName name)
    {
        string file = Path.Combine(Path.GetDirectoryName(path)!, $"{name.Name}.dll");
        return File.Exists(file) ? context.LoadFromAssemblyPath(file) : null;
    }

    // A class that names an assembly which is not there is no service that could be loaded; the others can be read.
    private static IEnumerable<Type> TypesOf(Assembly assembly, string path)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            Type[] some = [.. e.Types.OfType<Type>()];
            string why = e.LoaderExceptions.OfType<Exception>().FirstOrDefault()?.Message ?? e.Message;
            return some.Length > 0 ? some : throw new BadAssemblyException($"{path} cannot be read: {FirstLine(why)}");
        }
    }

    private static ServiceHeader? HeaderOf(Type type)
    {
        CustomAttributeData? service = type.GetCustomAttributesData()
            .FirstOrDefault(data => data.AttributeType.FullName == typeof(CamCubeServiceAttribute).FullName);
        if (service?.ConstructorArguments is not [{ Value: ushort id }, { Value: string name }])
        {
            return null;
        }

        object? header = service
            .NamedArguments.FirstOrDefault(argument => argument.MemberName == nameof(CamCubeServiceAttribute.Header))
            .TypedValue.Value;
        if (header is not Type declared)
        {
            return new ServiceHeader(id, name, null, 0, []);
        }

        (int size, IReadOnlyList<HeaderField> fields) = StructLayout.Of(declared, $"the header of {name}");
        return new ServiceHeader(id, name, declared.FullName, size, fields);
    }

    private static string FirstLine(string text) => text.Split('\n')[0].TrimEnd();
}
