import { ENDPOINTS, type SaveCategory, type Category as WireCategory } from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { type Category, withId } from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';
import { byTitle } from '../../ui/by-title.ts';

const categoriesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    categories: build.query<Category[], void>({
      query: () => callOf('categories'),
      rawResponseSchema: ENDPOINTS.categories.response,
      transformResponse: (categories: WireCategory[]) => byTitle(categories.map(withId)),
      providesTags: ['ViewsCategories'],
    }),
    createCategory: build.mutation<Category, SaveCategory>({
      query: (body) => callOf('createCategory', { body }),
      rawResponseSchema: ENDPOINTS.createCategory.response,
      transformResponse: (category: WireCategory) => withId(category),
      invalidatesTags: refreshes('ViewsCategories'),
    }),
    updateCategory: build.mutation<Category, SaveCategory & { id: string }>({
      query: ({ id, ...body }) => callOf('updateCategory', { params: { id }, body }),
      rawResponseSchema: ENDPOINTS.updateCategory.response,
      transformResponse: (category: WireCategory) => withId(category),
      invalidatesTags: refreshes('ViewsCategories'),
    }),
    deleteCategory: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('deleteCategory', { params: { id } }),
      invalidatesTags: refreshes('ViewsCategories', 'Views'),
    }),
  }),
});

export const {
  useCategoriesQuery,
  useCreateCategoryMutation,
  useUpdateCategoryMutation,
  useDeleteCategoryMutation,
  endpoints: categoriesEndpoints,
} = categoriesApi;
